/** /mcp on the screen and in lines: how servers stand, and what Enter does. */

import { runSlash, slashCommands } from '../../lib/commands/index.js';
import type { McpServerStatus } from '../../lib/protocol/mcp.js';
import { mcpLines, mcpLogText } from '../../lib/view/mcp-words.js';
import { pickers } from '../../lib/view/pickers/index.js';
import { following, startedEvent, stateAfter } from './support/picture.js';

const files: McpServerStatus = {
  ...{ name: 'files', from: '/home/ann/buddy.toml', how: 'srv /srv', state: 'ready', why: '' },
  ...{ tools: 3, prompts: 1, resources: 0, held: [] },
};
const held: McpServerStatus = { ...files, name: 'odd', held: ['echo is new: Says it again.'] };
const dead: McpServerStatus = { ...files, name: 'dead', state: 'failed', why: 'it ended with exit code 3', tools: 0, prompts: 0 };
const shown = (servers: readonly McpServerStatus[]) =>
  following(stateAfter(100, 30, [startedEvent()], { commands: slashCommands }), { type: 'mcp.told', servers, isAsked: false });

test('the list says how each stands; Enter does what is most likely wanted', () => {
  const state = shown([files, held, dead]);
  const items = pickers.mcp.items(state);
  expect(items.map(({ label, says, note }) => [label, says, note])).toEqual([
    ['files', 'ready · 3 tools, 1 prompt · srv /srv', 'log'],
    ['odd', 'ready: 1 held back · 3 tools, 1 prompt · srv /srv', 'approve'],
    ['held back', 'echo is new: Says it again.', 'approve'],
    ['dead', 'failed: it ended with exit code 3 · srv /srv', 'restart'],
  ]);
  expect(items.map((item) => pickers.mcp.take?.(item, state))).toEqual(
    [
      ['log', 'files'],
      ['approve', 'odd'],
      ['approve', 'odd'],
      ['restart', 'dead'],
    ].map(([act, server]) => ({ type: 'send', command: { type: 'mcp.act', server, act } })),
  );
});

test('a yes that is for more than the chosen line says so', () => {
  const items = pickers.mcp.items(shown([{ ...held, held: ['echo is new: Says it again.', 'cat is new: Reads.'] }]));
  expect(items.map(({ note }) => note)).toEqual(['approve all 2', 'approve all 2', 'approve all 2']);
});

test('the command asks, acts, and says what to write', () => {
  const state = shown([files]);
  expect(runSlash('/mcp', state)).toMatchObject({ sends: [{ type: 'mcp.tell' }], actions: [{ type: 'picker.open', kind: 'mcp' }] });
  expect(runSlash('/mcp restart files', state).sends).toEqual([{ type: 'mcp.act', server: 'files', act: 'restart' }]);
  for (const line of ['/mcp restart', '/mcp nothing files', '/mcp log files more'])
    expect(runSlash(line, state).notices[0]?.text).toContain('Write /mcp, or /mcp and one of start, restart');
});

test('a log is set in, whatever line ends are in it', () => {
  expect(mcpLogText('odd', ['info: a\nMCP server files: is there again', 'b'])).toBe(
    'Log of the MCP server odd:\n  info: a\n  MCP server files: is there again\n  b',
  );
});

test('without servers it says how to name one', () => {
  expect(runSlash('/mcp', shown([]))).toMatchObject({
    actions: [],
    sends: [],
    notices: [{ text: 'There are no MCP servers. [mcp.servers.NAME] in buddy.toml names them.' }],
  });
});

test('in lines, what is held back stands below its server', () => {
  expect(mcpLines([held])).toEqual([
    'odd  ready: 1 held back  3 tools, 1 prompt  srv /srv (/home/ann/buddy.toml)',
    '  held back: echo is new: Says it again.',
  ]);
  expect(mcpLines([])).toEqual(['There are no MCP servers. [mcp.servers.NAME] in buddy.toml names them.']);
});
