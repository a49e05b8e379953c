/** What files say of MCP servers: the shapes of other programs, what is refused and why, and what a person is shown of it. */

import { launchWords, readMcpJson, readMcpServers } from '../../lib/config/mcp-servers.js';

const own = { from: '/home/ann/buddy.toml', isOwn: true, env: { TOKEN: 's3cret' } };
const theirs = { from: '/srv/.mcp.json', isOwn: false };
const variable = (name: string) => `$\{${name}}`;
const fault = (table: unknown, origin: typeof own | typeof theirs = own) => readMcpServers({ one: table }, origin).faults[0]?.says;

test.each(['mcpServers', 'servers'])('a file of other programs, with its table %s', (name) => {
  const table = {
    one: { type: 'stdio', command: 'srv', args: ['-v'], disabled: true, autoApprove: ['all'] },
    two: { type: 'http', url: 'https://two.example/mcp' },
  };
  const { servers, faults } = readMcpJson(JSON.stringify({ [name]: table }), theirs);
  expect(faults).toEqual([]);
  expect(servers.map(({ name: of, isEnabled, launch }) => [of, isEnabled, launch.kind])).toEqual([
    ['one', false, 'stdio'],
    ['two', true, 'http'],
  ]);
});

test('variables are filled in where the person wrote them, and nowhere else', () => {
  const table = { command: 'srv', args: ['--key', variable('TOKEN')], env: { A: variable('NONE:-x') } };
  expect(readMcpServers({ one: table }, own).servers[0]?.launch).toMatchObject({ args: ['--key', 's3cret'], env: { A: 'x' } });
  expect(fault(table, theirs)).toContain('a project is told no variable of yours');
  expect(fault({ url: 'https://x.example', bearer_token_env: 'TOKEN' }, theirs)).toBe('a project names no variable with a token of yours');
  expect(fault({ command: variable('NONE') })).toBe('there is no variable NONE');
});

test.each<readonly [unknown, string]>([
  ['x', 'it must be a table'],
  [{}, 'it needs either "command" or "url"'],
  [{ command: 'a', url: 'https://x.example' }, 'it needs either "command" or "url"'],
  [{ command: ' ' }, '"command" is empty'],
  [{ command: 'a', args: 'b' }, '"args" must be a list of strings, such as ["one", "two"]'],
  [{ command: 'a', env: { 'A B': 'x' } }, '"A B" is no name of a variable'],
  [{ command: 'a', type: 'http' }, '"type" is "http", which does not go with its command'],
  [{ url: 'ftp://x.example' }, '"url" is no address: "ftp://x.example"'],
  [{ url: 'https://ann:secret@x.example' }, '"url" has a name or a password in it; they are sent as a header'],
  [{ url: 'https://x.example', headers: { A: 'x\ny' } }, '"A" is no header that can be sent'],
])('%j is refused', (table, says) => {
  expect(fault(table)).toBe(says);
});

test('a file that is none is one fault', () => {
  expect(readMcpJson('{', theirs).faults).toEqual([{ server: '', says: 'it is not JSON' }]);
  expect(readMcpJson('[]', theirs).faults).toEqual([{ server: '', says: 'it has no table "mcpServers"' }]);
});

test('a person is shown all that acts', () => {
  const [stdio, http] = readMcpServers(
    {
      one: { command: '/bin/a b', args: ['-x', 'c;d'], env: { A: 'x' }, cwd: '/srv' },
      two: { url: 'https://x.example/mcp', headers: { B: 'y' } },
    },
    own,
  ).servers;
  if (stdio === undefined || http === undefined) throw new Error('both are sound');
  expect(launchWords(stdio.launch, true)).toBe('"/bin/a b" -x "c;d" with A="x" in /srv');
  expect(launchWords(stdio.launch)).toBe('"/bin/a b" -x "c;d" with A in /srv');
  expect(launchWords(http.launch, true)).toBe('https://x.example/mcp with the headers B="y"');
});

test('a folder or an address in which more could be read is in quotes', () => {
  const odd = { one: { command: 'x', cwd: '/srv\nfine: yes' }, two: { url: 'https://x.example/ with nothing' } };
  expect(readMcpServers(odd, own).servers.map(({ launch }) => launchWords(launch, true))).toEqual([
    'x in "/srv\\nfine: yes"',
    '"https://x.example/ with nothing"',
  ]);
});
