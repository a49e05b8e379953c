/** The import law of lib/README.md as dependency-cruiser rules: what is not allowed here is an error. */

/** Room → the rooms (or single files) it may import besides itself. */
const law = {
  base: [],
  protocol: ['base'],
  config: ['base', 'protocol'],
  policy: ['base', 'protocol'],
  models: ['base', 'protocol', 'config'],
  targets: ['base', 'protocol', 'config'],
  tools: ['base', 'protocol', 'policy', 'targets/target.ts'],
  runtime: ['base', 'protocol', 'config', 'policy', 'tools/tool.ts', 'models/provider.ts', 'targets/target.ts'],
  extensions: [
    ...['base', 'protocol', 'config', 'policy', 'view', 'commands'],
    ...['tools', 'models/provider.ts', 'targets/target.ts', 'runtime/offered-commands.ts', 'runtime/hooks.ts'],
  ],
  mcp: [
    ...['base', 'protocol', 'config', 'policy', 'extensions/extension.ts', 'runtime/offered-commands.ts', 'runtime/server-control.ts'],
    ...['runtime/mentions/mention-source.ts', 'tools/tool.ts', 'tools/arguments.ts', 'tools/web/asked.ts'],
  ],
  context: [
    'base',
    'protocol',
    'config',
    'extensions/extension.ts',
    'runtime/offered-commands.ts',
    'targets/target.ts',
    'tools/tool.ts',
    'tools/arguments.ts',
  ],
  client: ['base', 'protocol'],
  view: ['base', 'protocol'],
  commands: ['base', 'protocol', 'view'],
  tui: ['base', 'protocol', 'view', 'commands'],
};

const escaped = (path) => path.replace('.', '\\.');

const rooms = Object.entries(law).map(([room, may]) => ({
  name: `${room}-imports`,
  comment: `lib/${room} may import ${['itself', ...may].join(', ')} and packages`,
  severity: 'error',
  from: { path: `^lib/${room}/` },
  to: { path: '^lib/', pathNot: [`^lib/${room}/`, ...may.map((to) => (to.endsWith('.ts') ? `^lib/${escaped(to)}$` : `^lib/${to}/`))] },
}));

/** What only one file may import. */
const single = [
  ['blessed', '(^|/)(blessed|neo-blessed)(/|$)', '^lib/tui/blessed\\.ts$'],
  ['blessed-contrib', '(^|/)blessed-contrib(/|$)', '^lib/tui/charts\\.ts$'],
  ['undici', '(^|/)undici(/|$)', '^lib/base/http\\.ts$'],
  ['keyring', '(^|/)@napi-rs/keyring', '^lib/base/keyring\\.ts$'],
  ['child-process', '^(node:)?child_process$', '^lib/base/process\\.ts$'],
  ['fs', '^(node:)?fs(/promises)?$', '^lib/base/files\\.ts$'],
  ['mcp-sdk', '(^|/)@modelcontextprotocol/sdk(/|$)', '^lib/mcp/connection\\.ts$'],
  [
    'worker_threads',
    '^(node:)?worker_threads$',
    '^lib/(base/worker|base/picture-worker|tools/web/page-worker|extensions/user/thread)\\.ts$',
  ],
  ['photon', '(^|/)@silvia-odwyer/photon-node', '^lib/base/picture-worker\\.ts$'],
  ['unbash', '(^|/)unbash(/|$)', '^lib/policy/shell/'],
  ['timers', '^(node:)?timers(/promises)?$', '^lib/base/clock\\.ts$'],
].map(([name, path, only]) => ({
  name: `only-importer-of-${name}`,
  severity: 'error',
  from: { path: '^lib/', pathNot: only },
  to: { path },
}));

/** The judge of commands comes with a parser: nobody waits for that before the first picture. */
const later = {
  name: 'judge-is-loaded-when-used',
  severity: 'error',
  from: { path: '^lib/', pathNot: '^lib/policy/shell/' },
  to: { path: '^lib/policy/shell/', pathNot: '^lib/policy/shell/judgement\\.ts$', dynamic: false },
};

export default {
  forbidden: [
    ...rooms,
    ...single,
    later,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    parser: 'swc',
  },
};
