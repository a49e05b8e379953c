/** The configuration: what is found, what goes before what, and what is said about mistakes. */

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BuddyError } from '../../lib/base/errors.js';
import type { Host } from '../../lib/base/host.js';
import { type LoadedConfig, loadConfig, type Overrides } from '../../lib/config/load.js';
import { bundledProfiles, demoProfile, providerOf } from '../../lib/config/profiles.js';
import { defaultSettings, type SettingRow, settingRows } from '../../lib/config/settings.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'buddy-config-'));
  mkdirSync(join(root, 'srv'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const USER_FILE = 'home/.config/buddy/buddy.toml';

function write(path: string, text: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

interface Case {
  readonly toml?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: Overrides;
  readonly path?: string;
}

function load({ toml, env = {}, overrides, path }: Case = {}): Promise<LoadedConfig> {
  if (toml !== undefined) write(USER_FILE, toml);
  const host = { env, cwd: join(root, 'srv'), homeDir: join(root, 'home') } as unknown as Host;
  return loadConfig({ host, ...(path === undefined ? {} : { path }), ...(overrides === undefined ? {} : { overrides }) });
}

async function failure(of: Case): Promise<{ code: string; message: string; hint: string | undefined }> {
  const thrown = await load(of).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof BuddyError)) throw new Error(`no BuddyError: ${String(thrown)}`);
  return { code: thrown.code, message: thrown.message.replaceAll(root, ''), hint: thrown.hint?.replaceAll(root, '') };
}

const MODELS = `[models.one]
api_base_url = "http://127.0.0.1:1/v1/"
model = "m1"
[models.two]
api = "responses"
api_key_env = "TWO_KEY"
`;

describe('without a file', () => {
  test('the demo, with the defaults and a way to something real', async () => {
    const config = await load();
    expect(config.profile).toEqual(demoProfile);
    expect(config.profiles.map(({ name }) => name)).toEqual([...bundledProfiles.map(({ name }) => name), 'demo']);
    expect(config.settings).toEqual({ ...defaultSettings(), 'agent.model': 'demo' });
    expect({ file: config.file, warnings: config.warnings, sources: [...config.sources] }).toEqual({
      file: null,
      warnings: [],
      sources: [],
    });
    expect(config.demoHint).toContain('OPENAI_API_KEY');
  });

  test('a key in the environment alone changes nothing but the hint', async () => {
    const config = await load({ env: { OPENAI_API_KEY: 'sk-x' } });
    expect(config.profile.name).toBe('demo');
    expect(config.demoHint).toBe('OPENAI_API_KEY is set: /model gpt-codex uses it.');
    expect((await load({ env: { BUDDY_API_KEY: 'x' } })).profile.name).toBe('demo');
  });

  test('-m takes a bundled profile by name', async () => {
    const config = await load({ overrides: { model: 'kimi' } });
    expect(config.profile).toEqual(bundledProfiles.find(({ name }) => name === 'kimi'));
    expect(config.demoHint).toBeNull();
  });

  test('an address and a model make a profile of their own', async () => {
    const config = await load({ env: { BUDDY_API_KEY: 'x' }, overrides: { model: 'llama', baseUrl: 'http://127.0.0.1:8080/v1/' } });
    expect(config.profile).toMatchObject({
      name: 'custom',
      api: 'chat',
      baseUrl: 'http://127.0.0.1:8080/v1',
      model: 'llama',
      key: { kind: 'env', name: 'BUDDY_API_KEY' },
    });
    expect(config.profiles[0]).toBe(config.profile);
  });

  test('half of that is not enough', async () => {
    expect(await failure({ overrides: { baseUrl: 'http://127.0.0.1:8080/v1' } })).toEqual({
      code: 'config.value',
      message: '--base-url is given, but not which model to ask for',
      hint: 'Add -m MODEL, or set BUDDY_MODEL.',
    });
    expect(await failure({ overrides: { model: 'gpt-codx' } })).toMatchObject({
      message: '--model: there is no model profile "gpt-codx"; did you mean "gpt-codex"?',
    });
    expect((await failure({ overrides: { baseUrl: 'localhost:80', model: 'x' } })).message).toBe(
      '--base-url: "localhost:80" is not an http or https address',
    );
  });
});

describe('where it is looked for', () => {
  test('the user-level file, also under XDG_CONFIG_HOME', async () => {
    expect((await load({ toml: MODELS })).file).toBe(join(root, USER_FILE));
    const other = write('xdg/buddy/buddy.toml', '[agent]\nname = "other"\n');
    const config = await load({ env: { XDG_CONFIG_HOME: join(root, 'xdg') } });
    expect({ file: config.file, name: config.settings['agent.name'] }).toEqual({ file: other, name: 'other' });
  });

  test('the old place, with a notice', async () => {
    const old = write('home/.config/agent/agent.toml', '[agent]\nname = "old"\n');
    const config = await load();
    expect(config.settings['agent.name']).toBe('old');
    expect(config.warnings).toEqual([`${old} is the old place; move it to ${join(root, USER_FILE)}`]);
  });

  test('a project file is not read, but said to be there', async () => {
    const project = write('srv/buddy.toml', 'this is [not even TOML');
    const config = await load();
    expect(config.profile.name).toBe('demo');
    expect(config.warnings).toEqual([
      `${project} is ignored: a project's settings are not trusted by themselves; /trust shows what they would change`,
    ]);
  });

  test('-c goes before everything, also for a project file, and must exist', async () => {
    write('srv/buddy.toml', '[agent]\nname = "mine"\n');
    const config = await load({ toml: MODELS, path: 'buddy.toml' });
    expect({ name: config.settings['agent.name'], warnings: config.warnings }).toEqual({ name: 'mine', warnings: [] });
    expect(await failure({ path: 'gone.toml' })).toEqual({
      code: 'config.unreadable',
      message: '/srv/gone.toml cannot be read: no such file or folder',
      hint: 'Check the path after -c.',
    });
    expect(await failure({ path: '.' })).toMatchObject({ code: 'config.unreadable', message: '/srv cannot be read: it is a folder' });
  });
});

describe('mistakes in the file', () => {
  test('syntax: file, line and column', async () => {
    expect(await failure({ toml: '[agent]\nname = "x"\nmodel = = 3\n' })).toEqual({
      code: 'config.syntax',
      message: expect.stringMatching(/^\/home\/\.config\/buddy\/buddy\.toml:3:9: not valid TOML: /),
      hint: 'Line 3 reads: model = = 3',
    });
  });

  test.each([
    ['[agent]\n\nmax_iterations = "ten"\n', ':3: agent.max_iterations must be a whole number from 1 to 1000', 'not "ten"'],
    ['[agent]\nmax_iterations = 0\n', ':2: agent.max_iterations must be a whole number from 1 to 1000, not 0', ''],
    ['[agent]\nmax_iterations = 1.5\n', ':2: agent.max_iterations must be', 'not 1.5'],
    ['tools.shell_confirm = "no"\n', ':1: tools.shell_confirm must be true or false, not "no"', ''],
    ['[tools]\nshell_denylist = "rm"\n', ':2: tools.shell_denylist must be a list of strings', 'not "rm"'],
    ['[agent]\ntemperature = 3\n', ':2: agent.temperature must be a number from 0 to 2, not 3', ''],
    ['agent = 1\n', ':1: agent must be a table, not 1', ''],
    ['[models.x]\napi = "soap"\n', ':2: models.x.api must be one of "completions", "chat", "responses"', 'not "soap"'],
    ['[models.x]\ncontext_limit = -1\n', ':2: models.x.context_limit must be a whole number of at least 1, not -1', ''],
    ['[models]\nx = "y"\n', ':2: models.x must be a table, not "y"', ''],
    ['[themes.mine]\naccent = 3\n', ':2: themes.mine.accent must be a string in quotes, not 3', ''],
  ])('%j', async (toml, start, end) => {
    const { code, message } = await failure({ toml });
    expect(code).toBe('config.value');
    expect(message.slice(0, USER_FILE.length + 1 + start.length)).toBe(`/${USER_FILE}${start}`);
    expect(message.slice(message.length - end.length)).toBe(end);
  });

  test('unknown keys are warnings that name the nearest known one', async () => {
    const { warnings } = await load({
      toml: '[agent]\nnmae = "x"\n[tols]\nx = 1\n[models.a]\napi_key_evn = "X"\nqqqqqq = 1\n[constructor]\n',
    });
    expect(warnings.map((warning) => warning.replaceAll(root, ''))).toEqual([
      `/${USER_FILE}:2: agent.nmae is not a setting and is ignored; did you mean "name"?`,
      `/${USER_FILE}:3: tols is not a setting and is ignored; did you mean "tools"?`,
      `/${USER_FILE}:6: models.a.api_key_evn is not a setting and is ignored; did you mean "api_key_env"?`,
      `/${USER_FILE}:7: models.a.qqqqqq is not a setting and is ignored`,
      `/${USER_FILE}:8: constructor is not a setting and is ignored`,
    ]);
  });

  test('names of parts that mean nothing are told with the line and left out', async () => {
    const { warnings, settings } = await load({ toml: '[screen]\nheader = ["modle", "cost", "nonsense"]\nfooter = []\n' });
    expect(warnings.map((warning) => warning.replaceAll(root, ''))).toEqual([
      `/${USER_FILE}:2: screen.header knows no "modle" and leaves it out; did you mean "model"?`,
      `/${USER_FILE}:2: screen.header knows no "nonsense" and leaves it out`,
    ]);
    expect(settings['screen.header']).toEqual(['cost']);
    expect(settings['screen.footer']).toEqual([]);
  });

  test('a model that is named but not there', async () => {
    expect(await failure({ toml: `${MODELS}[agent]\nmodel = "ona"\n` })).toEqual({
      code: 'config.value',
      message: `/${USER_FILE}: agent.model: there is no model profile "ona"; did you mean "one"?`,
      hint: 'There are: one, two, demo.',
    });
  });

  test('a base URL that is none', async () => {
    expect((await failure({ toml: '[models.x]\napi_base_url = "example.com"\n' })).message).toBe(
      `/${USER_FILE}: models.x: "example.com" is not an http or https address`,
    );
  });

  test.each([
    [
      'api_base_url = "https://x.org/v1/chat/completions"',
      '"https://x.org/v1/chat/completions" goes on after the version',
      'write "https://x.org/v1"',
    ],
    ['api_base_url = "https://x.org/v1/responses/"', 'goes on after the version', 'write "https://x.org/v1"'],
    ['api_base_url = "https://x.org/v1/messages?a=b"', 'goes on after the version', 'write "https://x.org/v1?a=b"'],
    ['api_base_url = "https://name:word@x.org/v1"', 'the address holds a name or a password', 'api_key_env or api_key_file'],
    ['api_key = ""', 'api_key is empty', 'Fill it in'],
    ['api_key_env = " "', 'api_key_env is empty', 'Fill it in'],
  ])('%s', async (line, message, hint) => {
    expect(await failure({ toml: `[models.x]\n${line}\n` })).toMatchObject({
      code: 'config.value',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  test('headers that are none', async () => {
    const wrong = (value: string) => failure({ toml: `[models.x]\nextra_headers = ${value}\n` });
    for (const value of [
      '"a: b"',
      '["a"]',
      '{ "a b" = "c" }',
      '{ a = 7 }',
      '{ a = "x\\ny" }',
      '{ a = "ü" }',
      '{ Host = "x" }',
      '{ Content-Length = "7" }',
    ])
      expect([value, (await wrong(value)).message]).toEqual([
        value,
        expect.stringContaining(`/${USER_FILE}:2: models.x.extra_headers must be a table of headers, such as`),
      ]);
  });
});

describe('profiles', () => {
  test('the first one starts, unless agent.model or -m says otherwise', async () => {
    expect((await load({ toml: MODELS })).profile).toMatchObject({
      name: 'one',
      api: 'chat',
      baseUrl: 'http://127.0.0.1:1/v1',
      model: 'm1',
      key: null,
    });
    const named = await load({ toml: `${MODELS}[agent]\nmodel = "two"\n` });
    expect(named.profile).toMatchObject({
      name: 'two',
      api: 'responses',
      provider: 'openai',
      model: 'two',
      key: { kind: 'env', name: 'TWO_KEY' },
    });
    expect((await load({ toml: MODELS, overrides: { model: 'two' } })).profile.name).toBe('two');
    expect((await load({ toml: MODELS, env: { BUDDY_MODEL: 'two' } })).profile.name).toBe('two');
    expect((await load({ toml: MODELS, overrides: { model: 'demo' } })).profile.api).toBe('demo');
  });

  test('a name that is no profile is a model on the same server', async () => {
    const config = await load({ toml: MODELS, overrides: { model: 'qwen3' } });
    expect(config.profile).toMatchObject({ name: 'one', model: 'qwen3' });
    expect(config.warnings).toEqual([]);
    expect((await load({ toml: MODELS, overrides: { model: 'twoo' } })).warnings).toEqual([
      '--model: "twoo" is no profile, so it is asked for as a model of one; did you mean "two"?',
    ]);
  });

  test('headers of a profile: a table in one line or below', async () => {
    const wanted = { 'http-referer': 'https://example.org', 'x-team': 'ops' };
    for (const toml of [
      '[models.x]\nextra_headers = { "HTTP-Referer" = "https://example.org", X-Team = "ops" }\n',
      '[models.x]\n[models.x.extra_headers]\nHTTP-Referer = "https://example.org"\nX-Team = "ops"\n',
    ]) {
      const config = await load({ toml });
      expect([config.profile.extraHeaders, config.warnings]).toEqual([wanted, []]);
    }
    expect((await load({ toml: MODELS })).profile.extraHeaders).toEqual({});
  });

  test('exactly one source of the key', async () => {
    const path = join(root, 'key');
    writeFileSync(path, 'k\n', { mode: 0o600 });
    expect((await load({ toml: '[models.x]\napi_key = "literal"\n' })).profile.key).toEqual({ kind: 'literal', value: 'literal' });
    expect((await load({ toml: '[models.x]\napi_key_file = "~/k"\n' })).profile.key).toEqual({ kind: 'file', path: join(root, 'home/k') });
    const file = `[models.x]\napi_key_file = "${path}"\n`;
    expect((await load({ toml: file })).warnings).toEqual([]);
    chmodSync(path, 0o644);
    expect((await load({ toml: file })).warnings).toEqual([`${path} holds a key and can be read by other users; chmod 600 it`]);
    expect((await load({ toml: '[models.x]\napi_key_command = "pass show x"\n' })).profile.key).toEqual({
      kind: 'command',
      command: 'pass show x',
    });
    expect(await failure({ toml: '[models.x]\nauth = "login"\n' })).toMatchObject({
      message: `/${USER_FILE}: models.x: auth = "login" needs api = "responses"`,
    });
    const storing = (more: string) => failure({ toml: `[models.x]\nstore = true\n${more}` });
    expect(await storing('api = "anthropic"\n')).toMatchObject({
      message: `/${USER_FILE}: models.x: store = true needs api = "responses" and a key`,
    });
    expect(await storing('api = "responses"\nauth = "login"\n')).toMatchObject({ code: 'config.value' });
    const loaded = await load({ toml: '[models.x]\napi = "responses"\nstore = true\n[models.y]\napi = "responses"\n' });
    expect(loaded.profiles.slice(0, 2).map(({ store }) => store)).toEqual([true, false]);
    expect(await failure({ toml: '[models.x]\napi_key = "a"\napi_key_env = "B"\n' })).toMatchObject({
      code: 'config.value',
      message: `/${USER_FILE}: models.x: api_key and api_key_env are both set`,
    });
  });

  test('BUDDY_API_KEY and --base-url change the chosen profile only', async () => {
    const config = await load({ toml: MODELS, env: { BUDDY_API_KEY: 'x' }, overrides: { baseUrl: 'http://other/v1' } });
    expect(config.profile).toMatchObject({ name: 'one', baseUrl: 'http://other/v1', key: { kind: 'env', name: 'BUDDY_API_KEY' } });
    expect(config.profiles.find(({ name }) => name === 'two')).toMatchObject({ key: { kind: 'env', name: 'TWO_KEY' } });
  });

  test('the messages protocol has an address of its own', async () => {
    const config = await load({ toml: `${MODELS}[models.claude]\napi = "anthropic"\n` });
    expect(config.profiles.find(({ name }) => name === 'claude')).toMatchObject({
      api: 'anthropic',
      provider: 'anthropic',
      baseUrl: 'https://api.anthropic.com/v1',
    });
  });

  test('who serves a model is told from its address', () => {
    const urls = {
      'https://api.openai.com/v1': 'openai',
      'https://eu.api.openai.com/v1': 'openai',
      'https://my-name.openai.azure.com/openai/v1': 'azure',
      'https://openrouter.ai/api/v1': 'openrouter',
      'https://generativelanguage.googleapis.com/v1beta/openai': 'gemini',
      'https://api.z.ai/api/paas/v4': 'zai',
      'https://api.x.ai/v1': 'xai',
      'https://api.mistral.ai/v1': 'mistral',
      'https://api.individual.githubcopilot.com': 'copilot',
      'http://192.168.1.7:11434/v1': 'ollama',
      'http://127.0.0.1:1234/v1': 'lmstudio',
      'https://example.org/openrouter.ai/v1': 'other',
      'https://notanthropic.com/v1': 'other',
    };
    for (const [url, provider] of Object.entries(urls)) expect([url, providerOf(url)]).toEqual([url, provider]);
  });

  test('the old spellings', async () => {
    const config = await load({ toml: '[model.x]\nbase_url = "http://127.0.0.1:2/v1"\napi = "chat"\n' });
    expect(config.profile).toMatchObject({ name: 'x', api: 'chat', baseUrl: 'http://127.0.0.1:2/v1' });
    const old = await load({ toml: '[api]\nbase_url = "http://127.0.0.1:2/v1"\nmodel = "m"\n' });
    expect(old.profile).toMatchObject({ name: 'gpt-spark', model: 'm' });
    expect(old.warnings[0]).toContain(':1: api is the old form');
  });
});

describe('[[models_catalog]]', () => {
  test('its rules, in their order', async () => {
    const toml =
      '[[models_catalog]]\npattern = "a"\ncontext_window = 5\n[[models_catalog]]\npattern = "b"\nmatch = "prefix"\nefforts = ["low"]\n';
    expect((await load({ toml })).catalogue).toEqual([
      { pattern: 'a', context_window: 5 },
      { pattern: 'b', match: 'prefix', efforts: ['low'] },
    ]);
  });

  test('mistakes name the line of their own rule', async () => {
    const two = (line: string) => `[[models_catalog]]\npattern = "a"\ncontext_window = 5\n\n[[models_catalog]]\npattern = "b"\n${line}\n`;
    const at = `/${USER_FILE}`;
    expect((await failure({ toml: two('context_window = 0') })).message).toBe(
      `${at}:7: models_catalog.context_window must be a whole number of at least 1, not 0`,
    );
    expect((await failure({ toml: two('efforts = ["much"]') })).message).toContain(
      ':7: models_catalog.efforts must be a list of levels out of "none"',
    );
    expect((await failure({ toml: '[[models_catalog]]\nmatch = "exact"\n' })).message).toBe(
      `${at}:1: models_catalog: a rule needs the name of a model`,
    );
    expect((await failure({ toml: '[models_catalog]\npattern = "a"\n' })).message).toBe(
      `${at}:1: models_catalog must be written as [[models_catalog]], not a table`,
    );
    expect((await load({ toml: two('contxt_window = 3') })).warnings[0]?.replaceAll(root, '')).toBe(
      `${at}:7: models_catalog.contxt_window is not known of a model and is ignored; did you mean "context_window"?`,
    );
  });
});

describe('-m', () => {
  test('a profile with an effort', async () => {
    expect((await load({ toml: MODELS, overrides: { model: 'two:high' } })).profile).toMatchObject({
      name: 'two:high',
      model: 'two',
      reasoningEffort: 'high',
    });
    expect((await load({ toml: MODELS, overrides: { model: 'qwen3:8b' } })).profile).toMatchObject({ name: 'one', model: 'qwen3:8b' });
  });

  test('a bundled profile with an effort', async () => {
    expect((await load({ overrides: { model: 'gpt-codex:low' } })).profile).toMatchObject({
      model: 'gpt-5.3-codex',
      reasoningEffort: 'low',
    });
  });

  test('a raw id without a file is asked for where there is a key', async () => {
    const both = { OPENAI_API_KEY: 'a', OPENROUTER_API_KEY: 'b', MOONSHOT_API_KEY: 'c' };
    const server = async (model: string, env: Readonly<Record<string, string>>) => {
      const { profile } = await load({ env, overrides: { model } });
      return [profile.name, profile.model, new URL(profile.baseUrl).host];
    };
    expect(await server('gpt-5.4', both)).toEqual(['custom', 'gpt-5.4', 'api.openai.com']);
    expect(await server('kimi-k3', both)).toEqual(['custom', 'kimi-k3', 'api.moonshot.ai']);
    expect(await server('qwen/qwen3-32b', both)).toEqual(['custom', 'qwen/qwen3-32b', 'openrouter.ai']);
    expect(await server('some-model', { OPENROUTER_API_KEY: 'b' })).toEqual(['custom', 'some-model', 'openrouter.ai']);
  });
});

describe('environment and command line', () => {
  test('they go before the file, and it is known what came from where', async () => {
    const toml = '[network]\napi_timeout_secs = 5\nfetch_timeout_secs = 6\n[display]\ncolor = true\n';
    const config = await load({ toml, env: { BUDDY_API_TIMEOUT_SECS: '7' }, overrides: { color: false, tmux: 'work' } });
    expect(config.settings).toMatchObject({
      'network.api_timeout_secs': 7,
      'network.fetch_timeout_secs': 6,
      'display.color': false,
      'tmux.session': 'work',
      'tmux.socket': 'default',
    });
    expect(Object.fromEntries(config.sources)).toEqual({
      'network.api_timeout_secs': 'BUDDY_API_TIMEOUT_SECS',
      'network.fetch_timeout_secs': join(root, USER_FILE),
      'display.color': 'command line',
      'tmux.session': '--tmux',
      'tmux.socket': '--tmux',
    });
  });

  test('a value that does not fit names the variable', async () => {
    expect(await failure({ env: { BUDDY_API_TIMEOUT_SECS: 'soon' } })).toEqual({
      code: 'config.value',
      message: 'BUDDY_API_TIMEOUT_SECS must be a whole number from 1 to 86400, not "soon"',
      hint: 'Correct or unset BUDDY_API_TIMEOUT_SECS.',
    });
  });

  test('the old names still work, with one notice for all', async () => {
    const config = await load({
      toml: MODELS,
      env: { AGENT_MODEL: 'two', AGENT_API_TIMEOUT_SECS: '9', AGENT_FETCH_TIMEOUT_SECS: '3', BUDDY_FETCH_TIMEOUT_SECS: '4' },
    });
    expect(config.profile.name).toBe('two');
    expect(config.settings).toMatchObject({ 'network.api_timeout_secs': 9, 'network.fetch_timeout_secs': 4 });
    expect(config.warnings).toEqual(['AGENT_API_TIMEOUT_SECS, AGENT_MODEL: AGENT_* variables are the old spelling; write BUDDY_* instead']);
  });

  test('an empty variable counts as unset', async () => {
    expect((await load({ env: { BUDDY_API_TIMEOUT_SECS: '', BUDDY_MODEL: '' } })).settings['network.api_timeout_secs']).toBe(120);
  });
});

describe('the table', () => {
  const rows = Object.entries(settingRows) as [string, SettingRow<unknown>][];
  test.each(rows)('%s: its default fits its kind, and it is documented', (_, { kind, initial, doc }) => {
    if (initial !== null) expect(kind.fromToml(initial)).toEqual(initial);
    expect(doc).toMatch(/^[A-Z].*\.$/);
  });
});

describe('templates/buddy.toml', () => {
  const source = readFileSync('templates/buddy.toml', 'utf8');

  test('it is valid as it stands and offers the profiles there are without a file', async () => {
    const config = await load({ toml: source });
    expect(config.warnings).toEqual([]);
    expect(config.profiles).toEqual([...bundledProfiles, demoProfile]);
    expect(config.profile.name).toBe('gpt-codex');
  });

  test('with every comment taken away it is valid too, and shows every setting', async () => {
    const all = source.replace(/^# (\[{0,2}[a-z_]+(?:\.[a-z_]+)?\]{0,2}(?: = .*)?)$/gm, '$1');
    const config = await load({ toml: all });
    expect(config.warnings).toEqual([]);
    expect(config.themes).toEqual({ mine: { accent: '#7aa2f7' } });
    expect([...config.sources.keys()].sort()).toEqual(Object.keys(settingRows).sort());
    for (const [key, row] of Object.entries(settingRows)) {
      if (/^(agent|tools)\./.test(key)) continue;
      expect([key, config.settings[key as keyof typeof settingRows]]).toEqual([key, row.initial]);
    }
  });
});
