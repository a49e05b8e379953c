/** The shell is the user's: what a command changes stays, exit codes are exact, options hurt nothing. */

import { gives, type Scenario } from '../cell.js';

const onlyPosix = { fish: 'it has no such option' };

/** Commands one after the other with exit code and output. */
function sequence(name: string, steps: readonly (readonly [string, number, string | RegExp])[], not: Scenario['not'] = {}): Scenario {
  return {
    name,
    not,
    async play(cell) {
      for (const [command, exitCode, text] of steps) await cell.gives(command, exitCode, text);
    },
  };
}

export const state: readonly Scenario[] = [
  {
    name: 'cd and environment stay',
    async play(cell) {
      await cell.gives(cell.of({ fish: 'cd /usr; set -gx KEPT 1', other: 'cd /usr; export KEPT=1' }), 0, '');
      expect(cell.opened.target.summary.cwd).toBe('/usr');
      await cell.gives('echo $PWD $KEPT', 0, '/usr 1\n');
      await cell.gives('sh -c "echo $KEPT"', 0, '1\n');
      await cell.gives('cd; cd -', 0, cell.of<string | RegExp>({ fish: '', zsh: /^(?:\/usr\n)?$/, other: '/usr\n' }));
      await cell.gives('cd', 0, '');
    },
  },
  gives('a function', { fish: 'function f; return 7; end; f', other: 'f() { return 7; }; f' }, 7, ''),
  {
    name: 'an alias stays',
    async play(cell) {
      await cell.gives("alias hello='echo hi'", 0, '');
      await cell.gives('hello', 0, 'hi\n');
    },
  },
  {
    name: 'every exit code from 0 to 255',
    patience: 60_000,
    async play(cell) {
      const codes: (number | string)[] = [];
      for (let code = 0; code < 256; code++) {
        const outcome = await cell.opened.run(cell.of({ fish: `sh -c "exit ${code}"`, other: `(exit ${code})` }));
        codes.push(outcome.kind === 'exited' ? outcome.exitCode : outcome.kind);
      }
      expect(codes).toEqual(Array.from({ length: 256 }, (_, code) => code));
    },
  },
  {
    name: '$? of the command before',
    async play(cell) {
      const status = cell.of({ fish: '$status', other: '$?' });
      await cell.gives('sh -c "exit 42"', 42, '');
      await cell.gives(`echo ${status}`, 0, '42\n');
      await cell.gives(`echo ${status}`, 0, '0\n');
    },
  },
  gives('a child that is killed', `sh -c 'kill -9 $$'`, 137, /^(?:Killed|fish: Job .*|)/),
  gives('a child that crashes', `sh -c 'kill -SEGV $$'`, 139, /^(?:Segmentation fault.*|fish: Job .*|)/),
  gives('a code above 128', 'sh -c "exit 137"', 137, ''),
  gives('a child that is terminated', `sh -c 'kill -TERM $$'`, 143, /^(?:Terminated|fish: Job .*|)/),
  sequence(
    'set -u',
    [
      ['set -u; echo u', 0, 'u\n'],
      ['echo still', 0, 'still\n'],
      ['set +u; echo v', 0, 'v\n'],
    ],
    onlyPosix,
  ),
  {
    name: 'an unset variable under set -u',
    not: onlyPosix,
    async play(cell) {
      await cell.gives('set -u', 0, '');
      await cell.gives(
        'echo $nope_x; echo no',
        cell.of({ dash: 2, ash: 2, other: 1 }),
        /nope_x: (?:unbound variable|parameter not set)\n$/,
      );
      await cell.gives('set +u', 0, '');
    },
  },
  {
    name: 'set -x',
    not: onlyPosix,
    async play(cell) {
      await cell.gives('set -x', 0, '');
      const plus = cell.of({ bash: '+++ ', zsh: '+(eval):1> ', other: '+ ' });
      await cell.gives('(exit 3)', 3, `${plus}exit 3\n`);
      await cell.gives('echo x $?', 0, `${plus}echo x 3\nx 3\n`);
      await cell.gives('set +x', 0, `${plus}set +x\n`);
      await cell.gives('echo y', 0, 'y\n');
    },
  },
  sequence(
    'noclobber',
    [
      ['set -C; echo c', 0, 'c\n'],
      ['echo d', 0, 'd\n'],
      ['set +C', 0, ''],
    ],
    onlyPosix,
  ),
  sequence(
    'a strange IFS',
    [
      ['IFS=0123456789abcdef', 0, ''],
      ['(exit 123)', 123, ''],
      ['echo "$?"', 0, '123\n'],
      ["IFS=' \t\n'", 0, ''],
    ],
    onlyPosix,
  ),
  {
    name: 'printf, eval and test taken over',
    async play(cell) {
      const over = cell.of({ fish: 'function printf; echo mine; end', other: 'printf() { echo mine; }; test() { return 9; }' });
      await cell.gives(over, 0, '');
      await cell.gives('printf x; sh -c "exit 4"', 4, 'mine\n');
      await cell.gives(cell.of({ fish: 'functions -e printf', other: 'unset -f printf test' }), 0, '');
    },
  },
  {
    name: 'stty -echo',
    async play(cell) {
      await cell.gives('stty -echo', 0, '');
      await cell.gives('echo q', 0, 'q\n');
      await cell.gives('stty echo', 0, '');
    },
  },
  {
    name: 'a terminal left raw',
    async play(cell) {
      await cell.gives('stty raw -echo', 0, '');
      await cell.gives('echo q', 0, 'q\n');
      await cell.gives('stty sane', 0, '');
    },
  },
  gives('a trap', "trap 'echo t' USR1; kill -USR1 $$; echo u", 0, /^(?:t\nu|u\nt)\n$/, { fish: 'its $$ is an error' }),
  {
    name: 'the history holds what a person typed and nothing of ours',
    not: { dash: 'it has no history' },
    async play(cell) {
      await cell.gives('echo agent', 0, 'agent\n');
      await cell.types('echo by hand\r');
      await cell.untilScreen(/^by hand$/m);
      await cell.untilState('idle');
      await cell.gives('echo agent', 0, 'agent\n');
      await cell.gives('echo agent', 0, 'agent\n');
      // busybox keeps every line; ours is always the same, which it keeps once.
      await cell.types(cell.shell === 'ash' ? '\x1b[A\x1b[A' : '\x1b[A');
      await cell.untilScreen(/echo by hand$/);
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused' });
      await cell.emptiesLine();
      const list = cell.of({ bash: 'history', zsh: 'fc -ln -50', other: 'history' });
      const shown = cell.of({
        ash: /^(?![\s\S]*agent)[\s\S]*echo by hand\n.*__bd.*\n$/,
        other: /^(?![\s\S]*(?:__bd|agent))[\s\S]*echo by hand/,
      });
      await cell.gives(list, 0, shown);
    },
  },
];
