/** F4 and F21: the other host or the container is lost in the middle of a command. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startContainer, startSshd } from '../../bench/servers.mjs';
import { pause, until } from '../until.mjs';
import { startWire } from '../wire-proxy.mjs';
import { shell } from '../work.mjs';

/** A silent loss is shown after some seconds and given up after twenty. */
const SHOWN_MS = 15_000;
const BACK_MS = 90_000;

/** Runs a command there that would leave a mark here, loses the other end meanwhile, and mends it. */
async function lost(stage, lose, mend) {
  const marker = stage.place.at('log', 'ran-here');
  const job = stage.plan([]);
  const command = `sleep ${stage.random.integer(1, 4)}; [ -e ${stage.elsewhere} ] || touch ${marker}`;
  stage.provider.plans.set(job, [{ calls: [shell(command)] }, { calls: [shell(`[ -e ${stage.elsewhere} ] || touch ${marker} # again`)] }]);
  await stage.ask(job);
  await stage.asked('sleep');
  await stage.answer('y');
  await stage.sees(/running sleep/);
  await lose();
  await until('the loss is shown', () => /lost|no answer|not running|does not answer/.test(stage.screen()), SHOWN_MS);
  await pause(stage.random.integer(0, 4000));
  await mend();
  await stage.settle(job, BACK_MS);
  await stage.sees(/pane shared · (idle|dead|closed)/, BACK_MS);
  return existsSync(marker) ? ['what was meant for the other end ran here'] : [];
}

/** Of the round that is played. */
const open = { sshd: null, wire: null, container: null };

async function toSshd(stage) {
  open.sshd = await startSshd();
  const [, port] = open.sshd.destination.split(':');
  open.wire = await startWire(Number(port));
  const folder = dirname(open.sshd.path.split(':')[0]);
  appendFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${open.wire.port} ${readFileSync(join(folder, 'host.pub'), 'utf8')}`);
  const destination = open.sshd.destination.replace(/:\d+$/, `:${open.wire.port}`);
  stage.always = { ...stage.always, args: `--ssh ${destination}`, before: `PATH=${open.sshd.path.split(':')[0]}:$PATH;` };
  // Nothing is at the same place here and there that tells them apart: it is told by the connection.
  stage.elsewhere = '"/proc/$PPID" -a -n "$SSH_CONNECTION"';
}

function closeSshd() {
  open.wire?.close();
  open.sshd?.close();
  Object.assign(open, { wire: null, sshd: null });
}

async function toContainer(stage) {
  open.container = startContainer();
  if (open.container === null) throw new Error('the container does not start');
  const { name, env } = open.container;
  const variables = Object.entries(env).map(([key, value]) => `export ${key}=${value};`);
  stage.always = { ...stage.always, args: `--container ${name}`, before: variables.join(' ') };
  stage.elsewhere = '/bin/busybox -a ! -e /home';
}

function closeContainer() {
  open.container?.close();
  open.container = null;
}

const podman = (...args) => {
  const { status, stderr } = spawnSync('podman', [...args, open.container.name], {
    env: { ...process.env, ...open.container.env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${stderr}`);
};

async function noSshd() {
  const sshd = await startSshd();
  sshd?.close();
  return sshd === null ? 'openssh-server and openssh-client are needed' : null;
}

function noContainer() {
  const container = startContainer();
  container?.close();
  return container === null ? 'podman, runc and busybox are needed' : null;
}

const ssh = { prepare: toSshd, close: closeSshd, impossible: noSshd, isElsewhere: true };
const container = { prepare: toContainer, close: closeContainer, impossible: noContainer, isElsewhere: true };
export const faults = [
  {
    name: 'F4 cut',
    says: 'ssh: the network is cut',
    ...ssh,
    run: (stage) =>
      lost(
        stage,
        () => open.wire.cut(),
        () => open.wire.mend(),
      ),
  },
  {
    name: 'F4 frozen',
    says: 'ssh: the network swallows all',
    ...ssh,
    run: (stage) =>
      lost(
        stage,
        () => open.wire.freeze(),
        () => open.wire.mend(),
      ),
  },
  {
    name: 'F21 stopped',
    says: 'container stopped and started',
    ...container,
    run: (stage) =>
      lost(
        stage,
        () => podman('stop', '-t', '0'),
        () => podman('start'),
      ),
  },
  {
    name: 'F21 paused',
    says: 'container paused for a while',
    ...container,
    run: (stage) =>
      lost(
        stage,
        () => podman('pause'),
        () => podman('unpause'),
      ),
  },
];
