/** Programs that want a person: editors, pagers, questions, passwords, shells inside of the shell. */

import { until } from '../../../support/until.js';
import type { Scenario } from '../cell.js';
import { password } from '../people.js';

/** A command that makes a repository with so many commits. */
function newRepository(commits: number): string {
  const commit = 'git -C repo -c user.name=a -c user.email=b commit -q --allow-empty';
  return `sh -c 'git init -q repo && for i in $(seq ${commits}); do ${commit} -m "c$i"; done'`;
}

/** A command that makes keys and settings for a sshd that speaks over two pipes. */
function newServer(passphrase = ''): string {
  const key = (name: string, secret: string) => `ssh-keygen -q -t ed25519 -N "${secret}" -f nested/${name}`;
  const settings = ['HostKey', 'AuthorizedKeysFile', 'StrictModes no', 'UsePAM no', 'PermitRootLogin yes'];
  const config = `printf "%s\\n" "${settings[0]} $PWD/nested/host" "${settings[1]} $PWD/nested/user.pub" "${settings.slice(2).join('" "')}" >nested/config`;
  return `sh -c 'mkdir -p nested /run/sshd && ${key('host', '')} && ${key('user', passphrase)} && ${config}'`;
}

/** A command that connects to it. */
function nestedSsh(flag: string, command: string, ...options: readonly string[]): string {
  const all = [
    'IdentityFile=nested/user',
    'IdentitiesOnly=yes',
    'UserKnownHostsFile=nested/known',
    'GlobalKnownHostsFile=/dev/null',
    ...options,
  ];
  const proxy = `-o "ProxyCommand=/usr/sbin/sshd -i -f $PWD/nested/config"`;
  return `ssh -F /dev/null ${flag} ${all.map((option) => `-o ${option}`).join(' ')} ${proxy} nested '${command}'`;
}

export const programs: readonly Scenario[] = [
  {
    name: 'a full-screen editor',
    async play(cell) {
      const begun = await cell.begins('vi file');
      await cell.untilState('fullscreen', /^vi/);
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'fullscreen' } });
      await cell.types(':q!\r');
      await cell.ends(begun, 0, /^\s*$/);
      await cell.untilState('idle');
    },
  },
  {
    name: 'a pager',
    not: { ash: 'the less of busybox does not use the alternate screen' },
    async play(cell) {
      const begun = await cell.begins('seq 500 | less');
      await cell.untilState('fullscreen');
      await cell.types('q');
      // It may still be echoed: less shows its screen before it stops the echo.
      await cell.ends(begun, 0, /^q?\s*$/);
    },
  },
  {
    name: 'git log with a pager',
    async play(cell) {
      await cell.gives(newRepository(45), 0, /^/);
      const begun = await cell.begins('env GIT_PAGER=/usr/bin/less git -C repo log --format=%s');
      // git asks less to stay on the usual screen.
      await cell.untilScreen(/^:$/m);
      await cell.untilState('running', /less|git/);
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
      await cell.types('q');
      await cell.ends(begun, 0, /^c45\nc44\n/);
      await cell.gives('rm -rf repo', 0, '');
    },
  },
  {
    name: 'git commit with an editor',
    async play(cell) {
      await cell.gives(newRepository(1), 0, /^/);
      const begun = await cell.begins('env GIT_EDITOR=vi git -C repo -c user.name=a -c user.email=b commit --allow-empty');
      await cell.untilState('fullscreen');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'fullscreen' } });
      await cell.types(':q!\r');
      await cell.ends(begun, 1, /Aborting commit/);
      await cell.gives('rm -rf repo', 0, '');
    },
  },
  {
    name: 'sudo asks for a password',
    async play(cell) {
      const begun = await cell.begins(`${cell.opened.asTester} sudo -p "Geheim? " id -un`);
      await cell.untilState('password');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'password' } });
      await cell.types(`${password}\r`);
      await cell.ends(begun, 0, 'Geheim? \nroot\n');
    },
  },
  {
    name: 'su asks for a password and starts a shell',
    async play(cell) {
      const begun = await cell.begins(`${cell.opened.asTester} env PS1="in""ner> " su -s /bin/sh`);
      await cell.untilState('password');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'password' } });
      await cell.types(`${password}\r`);
      await cell.untilScreen('inner>');
      await until('the password is forgotten', () => cell.tmux.panes()[0]?.state.kind !== 'password');
      await cell.refusesInOtherShell();
      await cell.types('exit 4\r');
      await cell.ends(begun, 4, /exit 4\n$/);
    },
  },
  {
    name: 'ssh asks about a host key, then a shell on the other host',
    async play(cell) {
      await cell.gives(newServer(), 0, /^/);
      const begun = await cell.begins(nestedSsh('-tt', 'env PS1="in""ner> " sh'));
      await cell.untilScreen('(yes/no');
      await cell.untilState('running', /ssh/);
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
      await cell.types('yes\r');
      await cell.untilScreen('inner>');
      await cell.refusesInOtherShell();
      await cell.types('exit 5\r');
      await cell.ends(begun, 5, /yes\n[\s\S]*exit 5\n/);
      await cell.gives(nestedSsh('-T', 'echo there; exit 6'), 6, 'there\n');
      await cell.gives('rm -rf nested', 0, '');
    },
  },
  {
    name: 'ssh asks for a passphrase',
    async play(cell) {
      await cell.gives(newServer(password), 0, /^/);
      const begun = await cell.begins(nestedSsh('-T', 'echo there', 'StrictHostKeyChecking=no'));
      await cell.untilState('password', /ssh/);
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'password' } });
      await cell.types(`${password}\r`);
      await cell.ends(begun, 0, /there\n$/);
      await cell.gives('rm -rf nested', 0, '');
    },
  },
  {
    name: 'a password prompt',
    async play(cell) {
      const begun = await cell.begins(`sh -c 'printf "Geheim? "; stty -echo; read -r x; stty echo; echo; echo "got \${#x}"'`);
      await cell.untilState('password');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'password' } });
      await cell.types('abc\r');
      await cell.ends(begun, 0, 'Geheim? \ngot 3\n');
    },
  },
  {
    name: 'read -s',
    not: { dash: 'its read has no -s' },
    async play(cell) {
      const begun = await cell.begins(
        cell.of({ fish: 'read -s x; echo "got $x"', zsh: 'read -s x; echo "got $x"', other: 'read -r -s x; echo "got $x"' }),
      );
      await cell.untilState(cell.of<'password' | 'running'>({ fish: 'running', other: 'password' }));
      if (cell.shell === 'fish') await cell.untilScreen('read>');
      await cell.types('abc\r');
      await cell.ends(begun, 0, /got abc\n$/);
    },
  },
  {
    name: 'a question',
    async play(cell) {
      const begun = await cell.begins(`sh -c 'printf "name? "; read -r x; echo "got $x"'`);
      await until('it asks', () => begun.lastLine() === 'name?');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
      await cell.types('bob\r');
      await cell.ends(begun, 0, 'name? bob\ngot bob\n');
    },
  },
  {
    name: 'the python prompt',
    async play(cell) {
      const begun = await cell.begins('python3 -q');
      await cell.untilState('running', /python/);
      await cell.untilScreen('>>>');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
      await cell.types('exit(6)\r');
      await cell.ends(begun, 6, />>> exit\(6\)\n$/);
    },
  },
  {
    name: 'a shell in the shell',
    async play(cell) {
      const begun = await cell.begins('env PS1="in""ner> " sh');
      await cell.untilScreen('inner>');
      await cell.refusesInOtherShell();
      await cell.types('exit 4\r');
      await cell.ends(begun, 4, /exit 4\n$/);
    },
  },
  {
    name: 'input to its end',
    async play(cell) {
      const begun = await cell.begins('cat');
      await cell.types('x\r');
      await until('it came back', () => begun.lastLine() === 'x');
      await cell.types('\x04');
      await cell.ends(begun, 0, 'x\nx\n');
    },
  },
];
