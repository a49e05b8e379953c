/** The built program in a terminal, used as a person uses it: typed into, looked at, its questions answered. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bench/measure.mjs';
import { openTerminal } from './terminal.mjs';
import { pause, until } from './until.mjs';

const SIZE = { cols: 130, rows: 40 };
/** A question takes answers after this time. */
const ARMED_MS = 480;
const IDLE = /\n> Ask, or/;
const QUESTION = /─ approve on [\s\S]*?\n([\s\S]*?)\n[^\n]*\[y\] once/;
const SHELL = /prompt\$ ?$/;

/** Opens a terminal on `place` whose model is `provider`; the program is not started yet. */
export async function openStage({ place, provider, random }) {
  let terminal = openTerminal({ ...SIZE, cwd: place.work, env: place.env });
  let settingsBefore = '';
  let jobs = 0;
  /** Every terminal that was opened: their shells are ours. */
  const shells = [terminal.pid];
  const sees = (pattern, withinMs) => terminal.shows(`the screen shows ${pattern}`, (text) => pattern.exec(text), withinMs);
  const shellSays = async (command) => {
    terminal.send(`clear; ${command}; echo en""d\r`);
    return (await sees(/(?:^|\n)([\s\S]*)\nend\nprompt\$/))[1];
  };
  const settings = async () => `${(await shellSays('stty -a')).trim()}\n${JSON.stringify(terminal.modes())}`;

  const stage = {
    place,
    provider,
    random,
    /** Jobs whose end a person saw. */
    acknowledged: [],
    /** Commands that a person said yes to. */
    approved: [],
    /** Nobody answers questions meanwhile. */
    isAway: false,
    /** What happened, for people who look into a failure. */
    story: [],
    /** The terminals' own processes. */
    shells: () => shells,
    /** With each start: `args`, what the shell does `before`, what stands in `front` of the program, further flags of `node`; and a trace. */
    always: { args: '', before: '', front: '', node: '', isTraced: true },
    screen: () => terminal.text(),
    terminal: () => terminal,
    sees,
    send: (keys) => terminal.send(keys),
    line: (text) => terminal.send(`${text}\r`),
    tell: (sentence) => stage.story.push(`${new Date().toISOString()} ${sentence}`),
    pid: () => (existsSync(place.at('pid')) ? Number(readFileSync(place.at('pid'), 'utf8')) : 0),
    isAlive() {
      const pid = stage.pid();
      try {
        return pid > 1 && process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    },
    /** Starts it and waits for what `waitFor` says; `before` are words of the shell in front of it. With `tellsEnd` the shell says `ended=` after it. */
    async start({ args = '', waitFor = /pane shared · idle/, before = '', withinMs = 30_000, tellsEnd = false } = {}) {
      if (settingsBefore === '') settingsBefore = await settings();
      stage.tell(`start ${args}`);
      const probe = `file://${root}/scripts/soak/loop-probe.mjs?into=${place.at('log')}`;
      const { always } = stage;
      const trace = always.isTraced ? `--trace ${place.at('log', `trace-${Date.now()}.jsonl`)}` : '';
      const words = `${process.execPath} ${always.node} --import '${probe}' ${join(root, 'bin', 'buddy-tui.js')} ${args} ${always.args} ${trace}`;
      rmSync(place.at('pid'), { force: true });
      terminal.send(
        `clear; ( echo $BASHPID > ${place.at('pid')}; ${always.before} ${before} exec ${always.front} ${words} )${tellsEnd ? '; echo ended=$?' : ''}\r`,
      );
      // Until then the screen is the one from before.
      await until('the shell starts it', () => existsSync(place.at('pid')));
      return sees(waitFor, withinMs);
    },
    /** The next number of a job, whose steps the model follows. */
    plan(steps) {
      jobs += 1;
      provider.plans.set(jobs, steps);
      return jobs;
    },
    /** Types a prompt about job `job`, and waits until it was taken. */
    async ask(job) {
      stage.tell(`job ${job}`);
      stage.line(`do job ${job}`);
      await terminal.shows(`job ${job} is taken`, (text) => provider.requestsOf(job) > 0 || text.includes(`● do job ${job}`));
    },
    /** The text of the question that is open, or null. */
    question: () => QUESTION.exec(terminal.text())?.[1] ?? null,
    /** Waits for a question about `words`. */
    asked: (words, withinMs) => terminal.shows(`it asks about ${words}`, () => stage.question()?.includes(words), withinMs),
    /** Answers the open question: no to `evilcmd`, yes to all else unless `key` says otherwise. Waits until the answer counted. */
    async answer(key = null) {
      const body = stage.question();
      if (body === null) return;
      const chosen = key ?? (body.includes('evilcmd') || random.chance(0.1) ? 'n' : 'y');
      const command = /goodcmd \d+\.\d+/.exec(body)?.[0];
      stage.tell(`answers ${chosen} to ${body.split('\n')[1]?.trim()}`);
      // Before it is pressed: what is killed in between may have run.
      if (chosen === 'y' && command !== undefined) stage.approved.push(command);
      for (let quietMs = ARMED_MS; stage.question() === body; quietMs += 200) {
        await pause(quietMs);
        await until('the person is there', () => !stage.isAway);
        if (stage.question() !== body || !stage.isAlive()) return;
        terminal.send(chosen);
        await until('the answer counts', () => stage.question() !== body, 2500).catch(() => undefined);
        if (quietMs > 4000) throw new Error(`an answer does not count; it shows:\n${terminal.text()}`);
      }
    },
    /** Answers questions until nothing runs; true when job `job` is done by then, null when the program is gone. */
    async settle(job, withinMs = 60_000) {
      const end = Date.now() + withinMs;
      const row = new RegExp(`(\\S) #\\d+ prompt do job ${job}\\b`);
      // Its row among the tasks says that it has ended, and the draft that nothing else runs.
      const isIdle = (text) => IDLE.test(text) && (row.exec(text)?.[1] ?? '▶') !== '▶';
      for (;;) {
        const found = await terminal.shows(
          `job ${job} ends or asks`,
          (text) => (!stage.isAlive() ? 'gone' : stage.question() !== null ? 'asks' : isIdle(text) ? 'idle' : null),
          Math.max(1000, end - Date.now()),
        );
        if (found === 'gone') return null;
        if (found === 'asks') await stage.answer();
        else {
          const isDone = terminal.text().includes(`job ${job} is done.`);
          if (isDone) stage.acknowledged.push(job);
          stage.tell(`job ${job} ${isDone ? 'is done' : 'has ended otherwise'}`);
          return isDone;
        }
      }
    },
    /** A whole prompt. */
    async job(steps) {
      const job = stage.plan(steps);
      await stage.ask(job);
      return stage.settle(job);
    },
    /** Leaves by `/quit end`; resolves with the exit code. */
    async quit() {
      terminal.send('\x15');
      stage.line('/quit end');
      return stage.exitCode();
    },
    /** Waits for the shell and asks it for the code of what ended. */
    async exitCode(withinMs = 20_000) {
      await terminal.shows('the shell is back', (text) => !stage.isAlive() && SHELL.test(text), withinMs);
      terminal.send('clear; echo code=$?\r');
      return Number((await sees(/^code=(\d+)$/m))[1]);
    },
    /** What differs in the terminal from before the first start; '' when nothing does. */
    async terminalDiffers() {
      const now = await settings();
      return now === settingsBefore ? '' : `before:\n${settingsBefore}\nnow:\n${now}`;
    },
    /** A new window, after the old one was closed. */
    reopen() {
      terminal.close();
      terminal = openTerminal({ ...SIZE, cwd: place.work, env: place.env });
      shells.push(terminal.pid);
    },
    close: () => terminal.close(),
  };
  await sees(SHELL);
  return stage;
}
