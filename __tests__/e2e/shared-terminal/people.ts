/** Users for the length of a test: root and a tester with a password that is known, and sudo for the tester. */

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of both. */
export const password = 'geheim';

const files = ['passwd', 'group', 'shadow', 'sudoers'] as const;

/** Fills `folder` (an `etc`) with the files that tell about users. */
export function writePeople(folder: string): void {
  const hashed = spawnSync('openssl', ['passwd', '-6', password], { encoding: 'utf8' }).stdout.trim();
  const people: readonly (readonly [name: string, id: number, group: number, secret: string, home: string, shell: string])[] = [
    ['root', 0, 0, hashed, '/root', '/bin/bash'],
    ['tester', 4242, 4242, hashed, '/tmp', '/bin/bash'],
    ['sshd', 4243, 65534, '*', '/run/sshd', '/usr/sbin/nologin'],
    ['nobody', 65534, 65534, '*', '/nonexistent', '/usr/sbin/nologin'],
  ];
  const texts: Readonly<Record<(typeof files)[number], readonly string[]>> = {
    passwd: people.map(([name, id, group, , home, shell]) => `${name}:x:${id}:${group}::${home}:${shell}`),
    group: ['root:x:0:', 'tty:x:5:', 'shadow:x:42:', 'tester:x:4242:', 'nogroup:x:65534:'],
    shadow: people.map(([name, , , secret]) => `${name}:${secret}:19000:0:99999:7:::`),
    sudoers: ['root ALL=(ALL:ALL) ALL', 'tester ALL=(ALL:ALL) ALL'],
  };
  mkdirSync(folder, { recursive: true });
  for (const name of files) writeFileSync(join(folder, name), `${texts[name].join('\n')}\n`, { mode: 0o644 });
  chmodSync(join(folder, 'shadow'), 0o640);
  chmodSync(join(folder, 'sudoers'), 0o440);
  chownSync(join(folder, 'shadow'), 0, 42);
}

const BECOME = 'exec setpriv --reuid=tester --regid=tester --clear-groups "$@"';

/** Writes the program that runs its arguments as the tester. */
function writeBecome(path: string, before: readonly string[]): void {
  writeFileSync(path, `#!/bin/sh\n${[...before, BECOME].join('\n')}\n`, { mode: 0o755 });
}

/** A tester on this host. */
export class TesterHere {
  #folder: string | null = null;

  /** A program that runs its arguments as the tester: in a mount namespace of its own, where /etc tells of these users. */
  get program(): string {
    this.#folder ??= testerIn(mkdtempSync('/tmp/buddy-test-people-'));
    return join(this.#folder, 'as-tester');
  }

  close(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }
}

function testerIn(folder: string): string {
  const path = join(folder, 'as-tester');
  writePeople(join(folder, 'etc'));
  const mounts = files.filter((name) => existsSync(join('/etc', name))).map((name) => `mount --bind ${folder}/etc/${name} /etc/${name}`);
  writeBecome(path, ['[ "$1" = : ] || exec unshare -m "$0" : "$@"', 'shift', ...mounts]);
  return folder;
}

/** A root folder for a container that has this machine's programs mounted at /usr, and these users. Answers the tester's program in it. */
export function rootWithPeople(root: string): string {
  for (const folder of ['etc', 'tmp', 'var/tmp', 'root', 'proc', 'sys', 'dev', 'run', 'usr', 'opt']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const folder of ['tmp', 'var/tmp']) chmodSync(join(root, folder), 0o1777);
  for (const link of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${link}`, join(root, link));
  for (const name of ['alternatives', 'pam.d', 'security', 'login.defs', 'zsh']) {
    if (existsSync(join('/etc', name))) cpSync(join('/etc', name), join(root, 'etc', name), { recursive: true, verbatimSymlinks: true });
  }
  writeFileSync(join(root, 'etc/environment'), '');
  writeFileSync(join(root, 'etc/shells'), '/bin/sh\n/bin/bash\n');
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n');
  writePeople(join(root, 'etc'));
  writeBecome(join(root, 'opt/as-tester'), []);
  return '/opt/as-tester';
}
