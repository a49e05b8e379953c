/** F2 and F3: tmux itself, its server and the pane, changed under the program. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { until } from '../until.mjs';
import { shell, someJob } from '../work.mjs';

/** A loss is told within this time. */
const TOLD_MS = 6000;
const paneOf = ({ place }) => place.tmux('list-panes', '-a', '-F', '#{pane_id}').trim().split('\n')[0];

/** Asks for a job that runs `command` in the pane, and answers it yes; resolves with the job once the pane shows that it runs. */
async function running(stage, command, word) {
  const job = stage.plan([{ calls: [shell(command)] }]);
  await stage.ask(job);
  await stage.asked(command);
  await stage.answer('y');
  await stage.sees(new RegExp(`running ${word}`));
  return job;
}

async function serverKilled(stage) {
  const { place, random } = stage;
  const witness = `${place.socket}-witness`;
  spawnSync('tmux', ['-L', witness, '-f', '/dev/null', 'new-session', '-d', '-s', 'witness', 'sleep 1000'], {
    env: { ...process.env, HOME: '/' },
  });
  const wrong = [];
  try {
    const moment = random.pick(['idle', 'running', 'asked', 'working']);
    stage.tell(`kill-server while ${moment}`);
    const kill = () => place.tmux('kill-server');
    if (moment === 'idle') kill();
    else if (moment === 'running') {
      const job = await running(stage, 'sleep 600', 'sleep');
      kill();
      await stage.sees(/lost/, TOLD_MS);
      await stage.settle(job, 20_000);
    } else {
      const job = await someJob(stage);
      if (moment === 'asked') await until('it asks', () => stage.question() !== null, 4000).catch(() => undefined);
      const settled = stage.settle(job, 40_000);
      kill();
      await settled;
    }
    const left = spawnSync('tmux', ['-L', witness, 'ls', '-F', '#{session_name}'], { encoding: 'utf8' }).stdout.trim();
    if (left !== 'witness') wrong.push(`the session of somebody else is "${left}"`);
  } finally {
    spawnSync('tmux', ['-L', witness, 'kill-server']);
    spawnSync('rm', ['-f', `/tmp/tmux-${process.getuid()}/${witness}`]);
  }
  return wrong;
}

const paneFaults = {
  async killed(stage) {
    const job = await running(stage, 'sleep 600', 'sleep');
    stage.place.tmux('kill-pane', '-t', paneOf(stage));
    await stage.settle(job, 20_000);
    return [];
  },
  async renamed(stage) {
    stage.place.tmux('rename-window', '-t', paneOf(stage), 'something else');
    await stage.settle(await someJob(stage));
    return [];
  },
  async zoomed(stage) {
    const pane = paneOf(stage);
    stage.place.tmux('split-window', '-d', '-t', pane, 'sleep 1000');
    stage.place.tmux('resize-pane', '-Z', '-t', pane);
    await stage.settle(await someJob(stage));
    stage.place.tmux('kill-pane', '-a', '-t', pane);
    return [];
  },
  async 'in copy mode'(stage) {
    const pane = paneOf(stage);
    stage.place.tmux('copy-mode', '-t', pane);
    await stage.settle(await someJob(stage));
    stage.place.tmux('copy-mode', '-q', '-t', pane);
    return [];
  },
  async 'typed into'(stage) {
    const pane = paneOf(stage);
    stage.place.tmux('send-keys', '-t', pane, '-l', 'evilcmd from-a-person ');
    await stage.settle(await someJob(stage));
    stage.place.tmux('send-keys', '-t', pane, 'C-u');
    return [];
  },
  async respawned(stage) {
    const pane = paneOf(stage);
    const swallowed = stage.place.at('log', 'swallowed');
    stage.place.tmux('respawn-pane', '-k', '-t', pane, `exec cat > ${swallowed}`);
    await until('the other program is there', () => existsSync(swallowed), 5000);
    await stage.settle(await someJob(stage));
    const typed = readFileSync(swallowed, 'utf8');
    stage.place.tmux('kill-pane', '-t', pane);
    return typed === '' ? [] : [`it typed into a pane whose program is another one: ${JSON.stringify(typed)}`];
  },
};

export const faults = [
  { name: 'F2', says: 'tmux server killed', run: serverKilled },
  ...Object.entries(paneFaults).map(([how, run]) => ({ name: `F3 ${how}`, says: `pane ${how}`, run })),
];
