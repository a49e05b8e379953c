/** How long the judge of commands may be kept busy: texts made to be slow, and a command of every day. Worst and median. */
import { load, quantile, round } from './measure.mjs';

const ROUNDS = 5;
/** Each near the 64 KiB that are judged at most. */
const SLOW = [
  'a;'.repeat(32_000),
  `a${'|a'.repeat(32_000)}`,
  `${'$(a '.repeat(250)}${')'.repeat(250)}`,
  '$('.repeat(30_000),
  `${'eval '.repeat(12_000)}ls`,
  `${'sudo '.repeat(12_000)}ls`,
  `${'mysql;'.repeat(4_900)}echo '\\! id' ${'a '.repeat(15_000)}`,
  'f(){ '.repeat(9_000),
  `echo ${'${a:-'.repeat(10_000)}`,
];
const USUAL = "journalctl -u nginx --since '1 hour ago' | grep -c error && df -h / | tail -1";

export async function measure() {
  const { judgeShell } = await load('policy/shell/judge.js');
  const timed = (command) => {
    const times = [];
    for (let turn = 0; turn < ROUNDS; turn++) {
      const began = performance.now();
      judgeShell(command, { denylist: ['mkfs'], mode: 'all' });
      times.push(performance.now() - began);
    }
    return quantile(times, 0.5);
  };
  return { 'judge.hostileWorstMs': round(Math.max(...SLOW.map(timed))), 'judge.usualMs': round(timed(USUAL)) };
}
