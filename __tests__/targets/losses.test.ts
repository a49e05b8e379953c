/** Everything that can be lost, everywhere it exists: what is told and in which order, within seconds, and that nothing runs elsewhere. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLog } from '../../lib/base/log.js';
import { containerPlace } from '../../lib/targets/places/container.js';
import { until } from '../support/until.js';
import { type Containers, openContainers } from './containers.js';
import { never, type OpenTarget, TargetTests, targetHost } from './local-target.js';
import { hasSshd, type SshServer, startSshServer } from './ssh-server.js';
import { openOverSsh } from './ssh-target.js';

// Engines and logins are slow on a loaded machine; each wait inside has its own limit.
jest.setTimeout(90_000);

/** A loss is shown within this time. */
const SHOWN_MS = 5000;

/** Where commands run, and how to look there from outside. */
interface Ground {
  readonly opened: OpenTarget;
  /** As it stands in sentences. */
  readonly name: string;
  /** As it stands in the header. */
  readonly label: string;
  /** A file in the home folder there, '' when there is none. */
  file(name: string): string;
  /** Makes an empty one. */
  make(name: string): void;
  /** Runs tmux on our server there. */
  tmux(...args: readonly string[]): void;
  /** Of the server or the container, where there is one. */
  readonly server: SshServer | null;
  podman(...args: readonly string[]): void;
}

const tests = new TargetTests();
const containers: Containers | null = openContainers();
let server: SshServer | null = null;
let container = '';
beforeAll(async () => {
  if (hasSshd) server = await startSshServer();
  if (containers !== null) container = containers.run(['tmux', 'bash']);
});
afterEach(() => tests.closeAll());
afterAll(async () => {
  await server?.close();
  containers?.close();
});
if (!hasSshd) test.todo('no sshd here: its losses are skipped');
if (containers === null) test.todo('no containers can be run here: their losses are skipped');

const nothing = (): never => {
  throw new Error('not on this ground');
};

async function openLocal(): Promise<Ground> {
  const opened = await tests.start();
  const file = (name: string) => (existsSync(join(opened.home, name)) ? readFileSync(join(opened.home, name), 'utf8') : '');
  return {
    opened,
    name: 'this host',
    label: 'this host',
    file,
    make: (name) => writeFileSync(join(opened.home, name), ''),
    tmux: (...args) => void opened.tmux(...args),
    server: null,
    podman: nothing,
  };
}

async function openSsh(): Promise<Ground> {
  const there = server ?? nothing();
  const opened = await openOverSsh(tests, there);
  const file = (name: string) => (existsSync(join(there.home, name)) ? readFileSync(join(there.home, name), 'utf8') : '');
  const { name } = opened.place;
  return {
    opened,
    name,
    label: `${name} (ssh)`,
    file,
    make: (made) => writeFileSync(join(there.home, made), ''),
    tmux: (...args) => void opened.tmux(...args),
    server: there,
    podman: nothing,
  };
}

async function openContainer(): Promise<Ground> {
  const engine = containers ?? nothing();
  const home = tests.newHome();
  const place = await containerPlace({ host: targetHost(home, engine.env), container, engine: 'podman', log: silentLog }, never);
  await place.connect(never);
  const opened = await tests.start({ home, place });
  return {
    opened,
    name: place.name,
    label: `${container} (container)`,
    file: (name) => engine.podman('exec', container, 'cat', `/root/${name}`).stdout,
    make: (name) => void engine.podman('exec', container, 'touch', `/root/${name}`),
    tmux: (...args) => void engine.podman('exec', container, 'tmux', '-L', opened.socket, ...args),
    server: null,
    podman: (...args) => void engine.podman(...args),
  };
}

/** What was told, a line each: kinds of states, labels that changed, notices, panes that come and go. */
function transcriptOf({ opened, label }: Ground): readonly string[] {
  let shown = label;
  let state = '';
  return opened.events.flatMap((event) => {
    switch (event.type) {
      case 'pane.state':
        // Told only when nothing of the new shell has come before.
        if (event.state.kind === state || event.state.kind === 'starting') return [];
        state = event.state.kind;
        return [`state ${state}`];
      case 'summary':
        if (event.summary.label === shown) return [];
        shown = event.summary.label;
        return [`label ${shown}`];
      case 'notice':
        return [`notice ${event.message}`];
      case 'pane.opened':
      case 'pane.closed':
        return [event.type];
      default:
        return [];
    }
  });
}

interface Loss {
  readonly loss: string;
  readonly open: () => Promise<Ground>;
  readonly exists: boolean;
  lose(ground: Ground): void;
  mend?(ground: Ground): Promise<void> | void;
  /** True: what ran there goes on. */
  readonly survives: boolean;
  /** The reason in brackets. */
  readonly why: RegExp;
  /** True: nobody says that it is lost; first it only does not answer. */
  readonly silent?: true;
}

const killServer = ({ tmux }: Ground) => tmux('kill-server');
const killPane = ({ tmux }: Ground) => tmux('kill-pane', '-t', 'buddy-test:');
const ended = /the tmux client ended \(.+\)|server exited.*/;
const closed = /Connection to 127\.0\.0\.1 closed by remote host/;
const onContainers = { open: openContainer, exists: containers !== null };
const overSsh = { open: openSsh, exists: hasSshd };
const gone = { survives: false, why: ended };

const losses: readonly Loss[] = [
  { loss: 'tmux server killed, here', open: openLocal, exists: true, lose: killServer, ...gone },
  { loss: 'pane killed, here', open: openLocal, exists: true, lose: killPane, ...gone },
  { loss: 'tmux server killed, over ssh', ...overSsh, lose: killServer, ...gone },
  { loss: 'pane killed, over ssh', ...overSsh, lose: killPane, ...gone },
  {
    ...{ loss: 'sshd killed', ...overSsh, survives: true, why: closed },
    lose: (ground) => ground.server?.kill(),
    mend: (ground) => ground.server?.startAgain(),
  },
  {
    ...{ loss: 'network cut', ...overSsh, survives: true, why: closed },
    lose: (ground) => ground.server?.wire.cut(),
    mend: (ground) => ground.server?.wire.mend(),
  },
  {
    ...{
      loss: 'network frozen',
      ...overSsh,
      survives: true,
      why: /Timeout, server 127\.0\.0\.1 not responding|it does not answer any more/,
    },
    silent: true,
    lose: (ground) => ground.server?.wire.freeze(),
    mend: (ground) => ground.server?.wire.mend(),
  },
  { loss: 'tmux server killed, in a container', ...onContainers, lose: killServer, ...gone },
  { loss: 'pane killed, in a container', ...onContainers, lose: killPane, ...gone },
  {
    ...{ loss: 'container stopped', ...onContainers, survives: false, why: /the container is not running \((exited|stopping|stopped)\)/ },
    lose: ({ podman }) => podman('stop', '-t', '0', container),
    mend: ({ podman }) => podman('start', container),
  },
];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** All that is told, from the first command to the end of the one after the loss. */
function expected({ name, label }: Ground, { survives, why, mend, silent }: Loss): readonly unknown[] {
  const lostLabel = label.replace(/\)$/, ', connection lost)');
  const notice = (before: string, after: string) =>
    expect.stringMatching(new RegExp(`^notice ${escaped(before)} \\((${why.source})\\)${escaped(after)}$`));
  const goesOn = '. What runs there goes on; connecting again.';
  const away = mend === undefined ? [] : [`label ${lostLabel}`, notice(`The connection to ${name} was lost`, goesOn), `label ${label}`];
  const unanswered = silent === true ? [`label ${label.replace(/\)$/, ', no answer)')}`] : [];
  if (survives)
    return ['state running', ...unanswered, ...away, `notice Connected to ${name} again.`, 'state idle', 'state running', 'state idle'];
  const tmuxGone = '. The next command starts a new session.';
  const dead = ['state dead', 'pane.closed'];
  const detached = [notice(`tmux on ${name} let go of the session`, '; attaching again.')];
  const why2 =
    name === 'this host'
      ? notice('The connection to tmux was lost', tmuxGone)
      : `notice The connection to tmux was lost (the tmux session is gone)${tmuxGone}`;
  const first = name === 'this host' || mend !== undefined ? away : detached;
  const opened = ['pane.opened', 'state idle'];
  const again = 'notice A new tmux session was started; the working directory and the environment of the old shell are lost.';
  return ['state running', ...first, ...dead, why2, ...opened, again, 'state running', 'state idle'];
}

for (const row of losses) {
  (row.exists ? test : test.skip)(row.loss, async () => {
    const ground = await row.open();
    const { opened } = ground;
    await opened.run('rm -f ~/ran ~/go; cd');
    const filesHere = () => readdirSync(opened.home).filter((name) => name !== 'ran' || row.open !== openLocal);
    const before = filesHere();
    opened.events.length = 0;
    const outcome = opened.run('echo begun >>~/ran; echo begun; until [ -e ~/go ]; do sleep 0.05; done; echo done');
    await until('it runs', () => ground.file('ran') === 'begun\n');
    row.lose(ground);
    await until('the loss is shown', () => transcriptOf(ground).some((line) => /^(notice|label)/.test(line)), SHOWN_MS);
    // One that is only silent is given up after 20 seconds.
    await until('the loss is told', () => transcriptOf(ground).some((line) => line.startsWith('notice')), 25_000);
    await row.mend?.(ground);
    if (row.survives) {
      await until('it is told that it is back', () => transcriptOf(ground).at(-1)?.startsWith('notice Connected to ') === true);
      ground.make('go');
    }
    expect(await outcome).toMatchObject(
      row.survives ? { kind: 'exited', exitCode: 0, output: { text: 'begun\ndone\n' } } : { kind: 'lost', output: { text: 'begun\n' } },
    );
    await until('the connection is back', () => opened.target.summary.label === ground.label);
    expect(await opened.run('echo after >>~/ran; echo after')).toMatchObject({ kind: 'exited', exitCode: 0, output: { text: 'after\n' } });
    await until('the prompt is back', () => transcriptOf(ground).at(-1) === 'state idle');
    expect(transcriptOf(ground)).toEqual(expected(ground, row));
    expect(ground.file('ran')).toBe('begun\nafter\n');
    expect(filesHere()).toEqual(before);
  });
}
