/**
 * The list of 1 000 kept sessions: without an index, with one, and with one that a session has outgrown. And one of 10 000 messages: read,
 * checked, and made into what the model and the screen are shown. Medians.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, quantile, round } from './measure.mjs';

const SESSIONS = 1000;
const PROMPTS = 40;
const ROUNDS = 9;
/** Two for each prompt. */
const LONG_PROMPTS = 5000;

/** A session as the program writes it: some 50 KB. */
function sessionText(number, place, { encodeHeader, encodeRecord }, prompts = PROMPTS) {
  const session = `bench-${number}`;
  const lines = [encodeHeader({ session, createdMs: 1, cwd: place.cwd, target: 'this host', parent: null }, place.key)];
  let id = 0;
  const add = (body) => {
    lines.push(encodeRecord({ ...body, id: String(id + 1), parentId: id === 0 ? null : String(id), tsMs: id }, place.redact));
    id += 1;
  };
  for (let prompt = 1; prompt <= prompts; prompt++) {
    add({ type: 'message', message: { role: 'user', text: `question ${prompt} of session ${number}` }, as: 'prompt' });
    const text = 'The disk is full because of the journal. '.repeat(15);
    add({ type: 'message', message: { role: 'assistant', text, reasoning: '', calls: [], extras: {}, incomplete: false } });
    add({ type: 'end', outcome: 'completed', error: null, name: null, prompts: prompt, latest: `question ${prompt}` });
  }
  return { session, text: `${lines.join('\n')}\n` };
}

export async function measure() {
  const [{ listSessions }, header, records, { openSession }, { restored }] = await Promise.all(
    ['session-list', 'header', 'records', 'session-folder', 'restored'].map((name) => load(`runtime/sessions/${name}.js`)),
  );
  const { systemClock } = await load('base/clock.js');
  const cwd = mkdtempSync(join(tmpdir(), 'buddy-bench-'));
  const folder = join(cwd, '.buddyx', 'sessions');
  const holder = { pid: process.pid, hostname: 'bench' };
  const place = { cwd, key: Buffer.from('a key'), redact: (text) => text, clock: systemClock, holder };
  const index = join(folder, 'index');
  const signal = new AbortController().signal;
  try {
    mkdirSync(folder, { recursive: true });
    for (let number = 0; number < SESSIONS; number++) {
      const { session, text } = sessionText(number, place, { ...header, ...records });
      writeFileSync(join(folder, `${session}.jsonl`), text, { mode: 0o600 });
    }
    const timed = async (prepare) => {
      const times = [];
      for (let turn = 0; turn < ROUNDS; turn++) {
        prepare(turn);
        const began = performance.now();
        const listed = await listSessions(place, '', systemClock, signal);
        times.push(performance.now() - began);
        if (listed.length !== SESSIONS) throw new Error(`${listed.length} sessions were listed`);
      }
      return round(quantile(times, 0.5));
    };
    const { session, text } = sessionText(SESSIONS, place, { ...header, ...records }, LONG_PROMPTS);
    const opened = [];
    for (let turn = 0; turn < ROUNDS; turn++) {
      writeFileSync(join(folder, `${session}.jsonl`), text, { mode: 0o600 });
      const began = performance.now();
      const { records: found, log } = openSession(place, session, () => 'copy');
      const { messages } = restored(found);
      opened.push(performance.now() - began);
      await log.close();
      if (messages.length !== 2 * LONG_PROMPTS) throw new Error(`${messages.length} messages were opened`);
    }
    rmSync(join(folder, `${session}.jsonl`));
    return {
      'sessions.open10kMs': round(quantile(opened, 0.5)),
      'sessions.1000.coldMs': await timed(() => rmSync(index, { force: true })),
      'sessions.1000.warmMs': await timed(() => undefined),
      'sessions.1000.oneChangedMs': await timed((turn) => appendFileSync(join(folder, `bench-${turn}.jsonl`), '{}\n')),
    };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
