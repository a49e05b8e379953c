/** What exec says of tokens and money, against servers that count and servers that do not. */

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freshHome, type Home, programPath } from './eye.js';

let home: Home;
let server: Server;
/** Fields of the last event besides its end. */
let usage: object;
beforeEach(async () => {
  home = freshHome();
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = [
      { choices: [{ index: 0, delta: { content: 'It is up.' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...usage },
    ];
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lines = [
    '[models.house]',
    `api_base_url = "http://127.0.0.1:${(server.address() as AddressInfo).port}/v1"`,
    'model = "house-7b"',
    '[[models_catalog]]',
    'pattern = "house-7b"',
    'context_window = 32000',
    'input_price_per_mtok = 2',
    'output_price_per_mtok = 10',
    'cache_read_price_per_mtok = 1',
    'cache_write_price_per_mtok = 4',
  ];
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), `${lines.join('\n')}\n`, { mode: 0o600 });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await home.dispose();
});

function exec(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [programPath(), 'exec', '--direct', ...args, 'is it up?'],
      { env: home.env, cwd: home.folder },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const counted = {
  usage: {
    prompt_tokens: 100_000,
    completion_tokens: 2000,
    prompt_tokens_details: { cached_tokens: 50_000, cache_write_tokens: 25_000 },
    completion_tokens_details: { reasoning_tokens: 1500 },
  },
};

test('the figures of the server, each kind at its price, on standard error and only when asked', async () => {
  usage = counted;
  const asked = await exec('--usage');
  expect(asked).toMatchObject({ code: 0, stdout: 'It is up.\n' });
  expect(asked.stderr).toBe('buddy-tui: 1 answer: 100k in (50.0k cached, 25.0k written) · 2.0k out (1.5k thinking) · $0.22\n');
  expect((await exec()).stderr).toBe('');
});

test('--json ends with them', async () => {
  usage = counted;
  const { stdout, stderr } = await exec('--json');
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events.at(-1)).toEqual({
    type: 'exec.usage',
    model: 'house-7b',
    requests: 1,
    estimated: 0,
    inputTokens: 100_000,
    cachedTokens: 50_000,
    cacheWriteTokens: 25_000,
    outputTokens: 2000,
    reasoningTokens: 1500,
    cost: expect.closeTo(0.22, 6),
    unpriced: 0,
  });
  expect(events.find((event) => event.type === 'model.answered').usage).toMatchObject({ inputTokens: 100_000, cacheWriteTokens: 25_000 });
  expect(stderr).toBe('');
});

test('a server that does not count: an estimate, marked', async () => {
  usage = {};
  const { stderr, stdout } = await exec('--json', '--usage');
  expect(stderr).toMatch(/^buddy-tui: 1 answer: ~[\d.]+k in · ~3 out · ~\$0\.\d+; ~ is an estimate, the server gave no figures\n$/);
  const { event } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(event).toMatchObject({ estimated: 1, outputTokens: 3, cachedTokens: null, reasoningTokens: null });
  expect(event.inputTokens).toBeGreaterThan(500);
});
