/** F10, F11 and F12: stopped, suspended, resized without end, and a terminal that goes away. */
import { pause, until } from '../until.mjs';
import { someJob } from '../work.mjs';

/** Longest for it to end when its terminal is gone. */
const ENDS_MS = 4000;

async function stopped(stage) {
  const job = await someJob(stage);
  const settled = stage.settle(job, 90_000);
  await pause(stage.random.integer(0, 1500));
  stage.isAway = true;
  process.kill(stage.pid(), 'SIGSTOP');
  await pause(stage.random.integer(3000, 6000));
  // The shell has taken the terminal meanwhile; it continues it.
  stage.line('\x15fg');
  await pause(500);
  stage.isAway = false;
  await settled;
  return [];
}

async function suspended(stage) {
  const before = await stage.sees(/\n> Ask, or[^\n]*/);
  stage.send('\x1a');
  await stage.sees(/Stopped/);
  const alternate = stage.terminal().modes().alternate;
  stage.line('fg');
  await stage.sees(/pane shared/);
  await stage.sees(/\n> Ask, or/);
  await stage.settle(await someJob(stage));
  return alternate || before === null ? ['a stopped program keeps the screen'] : [];
}

/** Without the line at the top, figures and blanks: those go on meanwhile. And without the pane, whose text tmux folds anew and whose title tells what runs. */
const still = (text) =>
  text
    .trimEnd()
    .replace(/^[^\n]*\n/, '')
    .replace(/(?:││|┐┌).*$/gm, '')
    .replace(/\d+/g, '0')
    .replace(/ +/g, ' ');

async function resized(stage) {
  const terminal = stage.terminal();
  const { cols, rows } = terminal.size();
  const isAsked = stage.random.chance(0.5);
  const job = isAsked ? await someJob(stage) : 0;
  if (isAsked) await until('it asks or ends', () => stage.question() !== null || stage.screen().includes(`job ${job} is done`), 20_000);
  await pause(300);
  const before = stage.screen();
  for (let at = 0; at < 300; at++) {
    terminal.resize(stage.random.integer(1, stage.random.pick([20, 120, 500])), stage.random.integer(1, stage.random.pick([5, 50, 200])));
    if (at % 10 === 0) await pause(5);
  }
  terminal.resize(cols, rows);
  const isSame = await until('the screen is as before', () => still(stage.screen()) === still(before), 10_000).then(
    () => true,
    () => false,
  );
  const after = stage.screen();
  if (isAsked) await stage.settle(job);
  return isSame ? [] : [`after many sizes the screen is another one\nbefore:\n${before}\nafter:\n${after}`];
}

async function endsAlone(stage, job) {
  const gone = await until('it has ended', () => !stage.isAlive(), ENDS_MS).catch(() => null);
  await job;
  return gone === null ? [`it has not ended ${ENDS_MS} ms after its terminal was gone`] : [];
}

async function closed(stage) {
  const settled = stage.settle(await someJob(stage)).catch(() => null);
  await until('it asks', () => stage.question() !== null, 3000).catch(() => undefined);
  await until('nothing runs', () => /pane shared · idle/.test(stage.screen()), 5000).catch(() => undefined);
  stage.terminal().hangUp();
  const wrong = await endsAlone(stage, settled);
  stage.reopen();
  await stage.sees(/prompt\$/);
  return wrong;
}

async function hungUp(stage) {
  const settled = stage.settle(await someJob(stage)).catch(() => null);
  // Not while something runs in the pane: that would be kept.
  await until('it asks', () => stage.question() !== null, 3000).catch(() => undefined);
  await until('nothing runs', () => /pane shared · idle/.test(stage.screen()), 5000).catch(() => undefined);
  process.kill(stage.pid(), 'SIGHUP');
  return endsAlone(stage, settled);
}

export const faults = [
  { name: 'F10', says: 'stopped for seconds, then continued', run: stopped },
  { name: 'F11 Ctrl+Z', says: 'suspended and taken up again', run: suspended },
  { name: 'F11 sizes', says: '300 sizes of the window', run: resized },
  { name: 'F12 closed', says: 'the window is closed', run: closed },
  { name: 'F12 SIGHUP', says: 'the line is hung up', run: hungUp },
];
