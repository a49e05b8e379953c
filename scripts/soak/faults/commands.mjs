/** F13 and F14: commands that print without end, or do to their terminal what no command should. */
import { pause, until } from '../until.mjs';
import { shell } from '../work.mjs';

/** Longest for the pane to be free again after Ctrl+C. */
const FREE_MS = 10_000;

const floods = {
  '30 MB': 'yes 0123456789abcdef | head -c 30000000',
  binary: 'head -c 3000000 /dev/urandom',
  'long line': 'head -c 1000000 /dev/zero | tr "\\0" x; echo',
  'no newline': 'head -c 20000000 /dev/zero | tr "\\0" y',
};

/** Work of before may have left a command behind that still runs. */
const idle = (stage) => stage.sees(/pane shared · idle/);

async function flooded(stage, command) {
  await idle(stage);
  const job = stage.plan([{ calls: [shell(command)] }]);
  await stage.ask(job);
  await stage.asked('head');
  await stage.answer('y');
  const isDone = await stage.settle(job, 120_000);
  return isDone ? [] : [`the job is not done; it shows:\n${stage.screen()}`];
}

async function endless(stage) {
  await idle(stage);
  const job = stage.plan([{ calls: [shell('yes')] }]);
  await stage.ask(job);
  await stage.asked('yes');
  await stage.answer('y');
  await stage.sees(/running yes/);
  await pause(2000);
  stage.send('\x1b');
  await stage.sees(/pane shared · idle/, FREE_MS);
  await stage.settle(job);
  return [];
}

const odd = [
  'sleep 600',
  "trap '' INT; sleep 600",
  'sh -c \'trap "" INT TERM; while :; do sleep 1; done\'',
  'cat',
  'read -r line',
  'stty -echo -icanon',
  "printf '\\033[?1049h\\033[?25l'",
  "printf '\\033]0;title\\007\\033[31m\\033(0'",
  'PS1="odd> "; PROMPT_COMMAND="echo before"',
  'set -o vi',
  '(setsid sleep 2 >/dev/null 2>&1 &)',
  'kill -STOP $BASHPID',
  '(kill -TERM $$)',
  'exec 3>&1; echo on >&3',
  'cd /; cd -',
  'trap "echo trapped" DEBUG; trap - DEBUG',
  'printf "%s" no-newline',
  'less /etc/passwd',
  'top',
];

/** Ends what runs in the pane as a person would, by its keyboard. */
async function freed(stage) {
  stage.send('\x1b[17~');
  await stage.sees(/you have the keyboard/);
  for (const key of ['\x03', 'q', '\x03', '\x1c', '\x15stty sane\r']) {
    if (key !== '\x15stty sane\r' && /hands back · idle/.test(stage.screen())) continue;
    stage.send(key);
    await until('it is free', () => /hands back · idle/.test(stage.screen()), 1500).catch(() => undefined);
  }
  stage.send('\x1b[17~');
  await stage.sees(/The agent has the keyboard again/);
}

async function oddCommand(stage) {
  await idle(stage);
  const command = stage.random.pick(odd);
  stage.tell(command);
  const job = stage.plan([{ calls: [shell(command, { wait: 2 })] }]);
  await stage.ask(job);
  await stage.settle(job, 30_000);
  if (!/pane shared · idle/.test(stage.screen())) await freed(stage);
  return [];
}

export const faults = [
  ...Object.entries(floods).map(([how, command]) => ({
    name: `F13 ${how}`,
    says: `output: ${how}`,
    run: (stage) => flooded(stage, command),
  })),
  { name: 'F13 endless', says: 'output without end, stopped by Esc', run: endless },
  { name: 'F14', says: 'a command that misuses its terminal', run: oddCommand },
];
