/**
 * From a key to its picture: the whole program, 10 000 lines in the transcript, an answer streaming 200 pieces a second, and a pane that prints
 * 30 times a second, then one in which `yes` runs.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onPty, pause, privatePlace, quantile, root, round } from './measure.mjs';

const LINES = 10_000;
const LINES_PER_DELTA = 50;
const DELTA_MS = 5;
const KEYS = 150;
const KEY_EVERY_MS = 40;
/** Typed keys are characters that nothing else shows: from U+4E00 on. */
const FIRST_CODE = 0x4e00;

/** An OpenAI-compatible server: its first answer is long, the next one never ends. */
async function startServer() {
  let requests = 0;
  const server = createServer((request, response) => {
    if (!request.url.endsWith('/chat/completions')) return response.writeHead(404).end();
    requests += 1;
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const say = (delta, finish = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    if (requests === 1) {
      for (let line = 0; line < LINES; line += LINES_PER_DELTA) {
        say({
          role: 'assistant',
          content: Array.from({ length: LINES_PER_DELTA }, (_, n) => `- line **${line + n}** of the log\n`).join(''),
        });
      }
      say({ content: 'ENDOFLOG' });
      say({}, 'stop');
      response.end('data: [DONE]\n\n');
      return undefined;
    }
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      say({ role: 'assistant', content: count % 12 === 0 ? `STREAMING ${count}\n\n` : `word${count} ` });
    }, DELTA_MS);
    response.on('close', () => clearInterval(timer));
    return undefined;
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}

/** The times of `KEYS` keys in turn; `first` is the code of the first one. */
async function pressed(program, first) {
  const times = [];
  for (let key = 0; key < KEYS; key++) {
    const character = String.fromCharCode(first + key);
    program.forget();
    const sent = performance.now();
    program.send(character);
    times.push((await program.seen(new RegExp(character))) - sent);
    await pause(KEY_EVERY_MS);
  }
  return times;
}

function figures(name, times) {
  return {
    [`${name}.p50Ms`]: round(quantile(times, 0.5)),
    [`${name}.p95Ms`]: round(quantile(times, 0.95)),
    [`${name}.maxMs`]: round(Math.max(...times)),
  };
}

export async function measure() {
  const place = privatePlace();
  const server = await startServer();
  const folder = join(place.home, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = { api_base_url: server.url, api: 'completions', api_key: 'none', model: 'bench' };
  const lines = Object.entries(profile).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  writeFileSync(join(folder, 'buddy.toml'), ['[models.bench]', ...lines, 'context_limit = 100000000', ''].join('\n'), { mode: 0o600 });
  const program = await onPty(process.execPath, [join(root, 'bin', 'buddy-tui.js'), '-m', 'bench'], place.env);
  const tmux = (...words) => execFileSync('tmux', ['-L', 'buddy', ...words], { env: place.env, encoding: 'utf8' }).trim();
  try {
    await program.seen(/idle/);
    program.send('long\r');
    await program.seen(/ENDOFLOG/, 30_000);
    const [pane] = tmux('list-panes', '-a', '-F', '#{pane_id}').split('\n');
    tmux('send-keys', '-t', pane, 'while :; do echo "mirrored $RANDOM"; sleep 0.03; done', 'Enter');
    await program.seen(/mirrored/);
    program.send('more\r');
    await program.seen(/STREAMING/);
    await pause(500);
    const slow = await pressed(program, FIRST_CODE);
    tmux('send-keys', '-t', pane, 'C-c', '');
    tmux('send-keys', '-t', pane, 'yes', 'Enter');
    while (!/y\ny\n/.test(tmux('capture-pane', '-p', '-t', pane))) await pause(50);
    await pause(500);
    const fast = await pressed(program, FIRST_CODE + KEYS);
    return { ...figures('key', slow), ...figures('key.yes', fast) };
  } finally {
    await program.stop();
    server.close();
    place.dispose();
  }
}
