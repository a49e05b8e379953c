/** The shell of a pane on another host has read what a login reads: its PATH is the one that `ssh host` gives. */

import { jest } from '@jest/globals';
import { silentLog } from '../../lib/base/log.js';
import { sshPlace } from '../../lib/targets/places/ssh.js';
import { startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { expectAlive, never, type OpenTarget, TargetTests, targetHost } from './local-target.js';
import { canDisguise, type SshServer, startSshServer } from './ssh-server.js';
import { openOverSsh } from './ssh-target.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(60_000);

const tests = new TargetTests();
let server: SshServer | null = null;
afterEach(async () => {
  await tests.closeAll();
  await server?.close();
  server = null;
});
const disguised = canDisguise ? test : test.skip;

/** Adds a folder to PATH and counts how often. */
const adds = (folder: string) => `PATH="$HOME/${folder}:$PATH"; export PATH; LOGINS="\${LOGINS-}${folder} "; export LOGINS\n`;

/** PATH and the files read, as a person has them who logs in on a terminal. */
async function seenAtLogin({ destination, env }: SshServer): Promise<readonly string[]> {
  const person = startOnPty('ssh', ['-p', String(destination.port), `${destination.user}@${destination.host}`], { cols: 200, env });
  try {
    // Typed when something asks for input, also ahead of a slow start.
    person.send('printf "<%s>" "$PATH" "$LOGINS"\r');
    const found = await until('PATH is shown', () => /<(\/[^<>]*)><([^<>]*)>/.exec(person.raw()));
    return found.slice(1);
  } finally {
    person.dispose();
  }
}

/**
 * The same in the pane. `ssh host COMMAND`, with which the tmux server there was started, has read files before (bash its ~/.bashrc, zsh its
 * ~/.zshenv): their folders may stand in PATH twice, and their traces come first.
 */
async function seenInPane(opened: OpenTarget): Promise<readonly string[]> {
  const outcome = await opened.run('printf "<%s>" "$PATH" "$LOGINS"');
  const [, path = '', logins = ''] = /^<([^<>]*)><([^<>]*)>$/.exec(outcome.kind === 'exited' ? outcome.output.text : '') ?? [];
  return [[...new Set(path.split(':'))].join(':'), logins];
}

/** A login shell, what it runs as, the files it reads, and their traces. */
const rows: readonly (readonly [string, string, Readonly<Record<string, string>>, string])[] = [
  [
    '/bin/bash',
    'bash',
    { '.bash_profile': `${adds('first')}. ~/.bashrc\n`, '.profile': adds('never'), '.bashrc': adds('rc') },
    'first rc ',
  ],
  ['/bin/bash', 'bash', { '.profile': adds('profile'), '.bashrc': adds('never') }, 'profile '],
  [
    '/usr/bin/zsh',
    'zsh',
    { '.zshenv': adds('env'), '.zprofile': adds('profile'), '.zshrc': adds('rc'), '.zlogin': adds('login') },
    'env profile rc login ',
  ],
  ['/usr/bin/dash', 'sh', { '.profile': `${adds('profile')}ENV=~/.shrc; export ENV\n`, '.shrc': adds('rc') }, 'profile rc '],
];

disguised.each(rows)('%s as %s', async (shell, name, files, read) => {
  server = await startSshServer({ shell, files });
  const opened = await openOverSsh(tests, server, { shell: 'login' });
  const [path, logins] = await seenAtLogin(server);
  expect(logins).toBe(read);
  expect(opened.target.summary.shell).toBe(name);
  const [paneFolders, paneLogins] = await seenInPane(opened);
  expect(paneFolders).toBe(path);
  expect(paneLogins).toMatch(new RegExp(`${logins}$`));
  expect(await opened.run('echo "$0"')).toMatchObject({ output: { text: `${shell}\n` } });
  await expectAlive(opened);
});

disguised('/usr/bin/fish: what stands under "status is-login"', async () => {
  const folder = '.config/fish';
  const config = 'if status is-login\n  set -gx PATH $HOME/login $PATH\n  set -gx LOGINS login\nend\n';
  server = await startSshServer({ shell: '/usr/bin/fish', files: { [`${folder}/config.fish`]: config } });
  const opened = await openOverSsh(tests, server, { shell: 'login' });
  const [path, logins] = await seenAtLogin(server);
  expect(opened.target.summary.shell).toBe('fish');
  expect(await seenInPane(opened)).toEqual([path, logins]);
  await expectAlive(opened);
});

disguised('an account that may not log in is told with what it says', async () => {
  server = await startSshServer({ shell: '/usr/sbin/nologin' });
  const place = sshPlace({
    host: targetHost(tests.newHome(), server.env),
    destination: server.destination,
    connectTimeoutS: 10,
    log: silentLog,
  });
  await expect(place.connect(never)).rejects.toMatchObject({
    code: 'target.connect',
    message: 'cannot connect to 127.0.0.1: the login shell there ended with exit code 1 (This account is currently not available)',
  });
});
