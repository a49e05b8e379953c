/** What grep, find, ls and read_file tell of a tree, through every target and with whatever programs are there: the same tests for each ground. */

import { systemClock } from '../../lib/base/clock.js';
import { defaultDenylist } from '../../lib/policy/shell-command.js';
import type { ExecutionTarget } from '../../lib/targets/target.js';
import { tools } from '../../lib/tools/all.js';
import type { ToolContext, ToolResult } from '../../lib/tools/tool.js';
import { judge } from '../support/judging.js';
import { until } from '../support/until.js';
import { never } from './local-target.js';

export interface SearchGround {
  readonly target: ExecutionTarget;
  /** What a POSIX shell there prints; it begins in the home folder. */
  shell(script: string): string;
}

/** One call that nobody is asked about, or that a person has allowed. */
export async function called(target: ExecutionTarget, name: string, args: object, signal = never): Promise<ToolResult> {
  const tool = tools.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const review = { target, denylist: defaultDenylist, allowedPaths: [], homeDir: target.homeDir, confirmShell: true, judge };
  const parsed = tool.parse({ ...args, why: 'to test' });
  const looked = (await tool.prepare?.(parsed, review, signal)) ?? parsed;
  const context: ToolContext = {
    ...{ signal, clock: systemClock, target, denylist: defaultDenylist, judge, caution: 'policy' },
    report: () => undefined,
    background: () => '1',
  };
  return tool.run(looked, context);
}

const TREE = `rm -rf tree; mkdir -p tree/src/deep tree/node_modules/x tree/.git/info tree/build tree/.ssh tree/locked
cd tree
printf 'one needle\\ntwo\\nthree NEEDLE 42\\n' >src/a.ts
printf 'needle\\r\\n' >src/deep/crlf.txt
printf 'a needle in hay\\n' >node_modules/x/index.js
printf 'needle\\n' >build/out.js; printf 'needle\\n' >build/kept.js
printf 'needle' >'src/it'"'"'s [odd] $name.md'
printf 'needle żółć\\n' >src/żółć.txt
printf 'needle\\000needle\\n' >src/binary
printf 'needle key\\n' >.ssh/id_rsa; printf 'needle\\n' >.env; printf 'needle\\n' >.hidden
printf 'needle\\n' >"src/$(printf 'line\\nline')"; printf 'needle\\n' >"src/$(printf 'b\\351d')"
printf 'node_modules/\\n/build/*\\n!/build/kept.js\\n' >.gitignore
printf '*.log\\n' >src/.gitignore; printf 'needle\\n' >src/x.log; printf 'secret-name.txt\\n' >.git/info/exclude
printf 'needle\\n' >secret-name.txt
awk 'BEGIN { printf "needle "; for (i = 0; i < 3000; i++) printf "long "; print "" }' >src/long
ln -s src link; ln -s . src/loop; ln -s nowhere loose; ln -s /etc/passwd src/passwd; mkfifo src/pipe
chmod 000 locked`;

/** Defines the tests. `run` is `test` or `test.skip`; `ground` is asked in each test. */
export function searchContract(run: typeof test | typeof test.skip, ground: () => SearchGround): void {
  const call = (name: string, args: object) => called(ground().target, name, args);
  const found = async (args: object) => (await call('grep', args)).result as { found: string; matches: number; notes?: string[] };

  run('grep: what matches, in order; what is ignored, closed, binary or no file is not among it, and is told', async () => {
    ground().shell(TREE);
    const { found: lines, notes = [] } = await found({ pattern: 'needle', path: '~/tree' });
    expect(lines.split('\n').map((line) => line.slice(0, 60))).toEqual(
      [
        '.hidden:1: needle',
        'build/kept.js:1: needle',
        'src/a.ts:1: one needle',
        'src/b\\xE9d:1: needle',
        'src/deep/crlf.txt:1: needle',
        "src/it's [odd] $name.md:1: needle",
        'src/line␊line:1: needle',
        `src/long:1: needle ${'long '.repeat(10).slice(0, 41)}`,
        'src/żółć.txt:1: needle żółć',
      ].map((line) => line.slice(0, 60)),
    );
    expect(lines.split('\n').find((line) => line.startsWith('src/long'))).toMatch(/^.{500,530}… \[cut\]$/);
    expect(notes.join('\n')).toMatch(/Left out, as only the user can allow reading it \(read_file asks\): \.env, \.ssh\/id_rsa\./);
  });

  run('grep: of a file with very many long lines the first are found, and it is said that there are more', async () => {
    ground().shell(`mkdir -p logs && awk 'BEGIN { for (i = 0; i < 2100; i++) printf "needle %d %2500s\\n", i, "x" }' >logs/big.log`);
    const { found: lines, matches, notes } = await found({ pattern: 'needle', path: '~/logs', limit: 2000 });
    expect(lines).toMatch(/^big\.log:1: needle 0 /);
    expect(matches).toBeGreaterThan(50);
    expect(notes?.[0]).toMatch(/^There are more matches than .*a larger limit shows no more\.$/);
  });

  run('grep: patterns, case, plain text, context, globs, limits', async () => {
    const path = '~/tree';
    expect((await found({ pattern: String.raw`\bneedle\s\d{2}$`, path, ignoreCase: true })).found).toBe('src/a.ts:3: three NEEDLE 42');
    expect((await found({ pattern: '(?i)(?:THREE|four) [a-z]+?', path })).found).toBe('src/a.ts:3: three NEEDLE 42');
    expect(await found({ pattern: 'needle.', path, literal: true })).toMatchObject({ found: '', matches: 0 });
    expect((await found({ pattern: '^two$', path, context: 1 })).found).toBe(
      'src/a.ts-1- one needle\nsrc/a.ts:2: two\nsrc/a.ts-3- three NEEDLE 42',
    );
    expect((await found({ pattern: 'NEEDLE', path: '~/tree/src/a.ts', ignoreCase: true })).found).toBe(
      'a.ts:1: one needle\na.ts:3: three NEEDLE 42',
    );
    ground().shell('seq 1 20 >twenty');
    expect((await found({ pattern: '^(1|5|20)$', path: '~/twenty', context: 1 })).found.replaceAll('twenty', '')).toBe(
      ':1: 1\n-2- 2\n--\n-4- 4\n:5: 5\n-6- 6\n--\n-19- 19\n:20: 20',
    );
    expect((await found({ pattern: 'needle', path, glob: '*.{ts,txt}' })).found.split('\n')).toHaveLength(3);
    expect((await found({ pattern: 'needle', path, glob: 'src/deep/**' })).found).toBe('src/deep/crlf.txt:1: needle');
    expect((await found({ pattern: 'needle', path, glob: '!src/' })).found).toBe('.hidden:1: needle\nbuild/kept.js:1: needle');
    expect(await found({ pattern: 'needle', path, limit: 2 })).toMatchObject({
      matches: 2,
      notes: expect.arrayContaining([expect.stringMatching(/more matches than the 2 .*, or a larger limit\.$/)]),
    });
    expect(await found({ pattern: 'needle', path: '~/tree/src/a.ts' })).toMatchObject({ found: 'a.ts:1: one needle', matches: 1 });
    expect((await found({ pattern: 'needle', path: '~/tree/src/deep' })).found).toBe('crlf.txt:1: needle');
    // What is asked for by name is looked into.
    expect((await found({ pattern: 'needle', path: '~/tree/node_modules' })).matches).toBe(1);
    await expect(found({ pattern: '(open', path })).rejects.toMatchObject({ code: 'tool.arguments' });
    await expect(found({ pattern: 'x', path: '~/none' })).rejects.toMatchObject({
      message: expect.stringMatching(/no such file or folder$/),
    });
    await expect(found({ pattern: 'x', path: '/proc' })).rejects.toMatchObject({ message: expect.stringMatching(/no files of a disk/) });
  });

  run('find: names and paths', async () => {
    const names = async (args: object) => ((await call('find', { path: '~/tree', ...args })).result as { found: string }).found.split('\n');
    expect(await names({ pattern: '*.{txt,md}' })).toEqual(['src/deep/crlf.txt', "src/it's [odd] $name.md", 'src/żółć.txt']);
    expect(await names({ pattern: 'src/*' })).toEqual(
      [
        '.gitignore',
        'a.ts',
        'binary',
        'b\\xE9d',
        'deep/',
        "it's [odd] $name.md",
        'line␊line',
        'long',
        'loop',
        'passwd',
        'pipe',
        'żółć.txt',
      ].map((name) => `src/${name}`),
    );
    expect(await names({ pattern: '**/deep/**' })).toEqual(['src/deep/crlf.txt']);
    expect(await names({ pattern: '*', limit: 3 })).toEqual(['.env', '.gitignore', '.hidden']);
    expect(await names({ pattern: 'id_rsa' })).toEqual(['']);
  });

  run('ls: all names, folders with a slash, links as what they lead to; read_file of a folder says the same', async () => {
    const list = (name: string, args: object) => call(name, args).then(({ result }) => (result as { entries: string }).entries.split('\n'));
    const all = [
      '.env',
      '.git/',
      '.gitignore',
      '.hidden',
      '.ssh/',
      'build/',
      'link/',
      'locked/',
      'loose',
      'node_modules/',
      'secret-name.txt',
      'src/',
    ];
    expect(await list('ls', { path: '~/tree' })).toEqual(all);
    expect(await list('read_file', { path: '~/tree' })).toEqual(all);
    expect(await list('ls', { path: '~/tree/link/deep' })).toEqual(['crlf.txt']);
    expect(await list('ls', { path: '~/tree', limit: 2 })).toEqual(['.env', '.git/']);
    ground().shell('mkdir tree/none');
    expect(await call('ls', { path: '~/tree/none' })).toMatchObject({ result: { entries: '', empty: true }, summary: '0 entries' });
  });

  run('read_file: lines from the middle, and past the end', async () => {
    ground().shell('seq 1 5000 >numbers; printf "%s" last >>numbers');
    const read = (args: object) =>
      call('read_file', { path: '~/numbers', ...args }).then(({ result }) => result as Record<string, unknown>);
    expect(await read({ offset: 4998 })).toMatchObject({ content: '4998\n4999\n5000\nlast' });
    expect(await read({ offset: 10, limit: 2 })).toMatchObject({ content: '10\n11\n', note: expect.stringMatching(/offset 12\.$/) });
    expect(await read({ offset: 5002 })).toMatchObject({ content: '', note: expect.stringContaining('The file has 5001 lines') });
    expect(await read({ offset: 3, byte_offset: 1, limit: 1 })).toMatchObject({ content: '\n' });
  });

  run('a look that is cancelled ends, and what it started with it', async () => {
    const { target, shell } = ground();
    const cancel = new AbortController();
    const argv = ['sh', '-c', 'echo $$ >~/looking; sleep 4321 & wait', 'sh'];
    const looking = target.look({ argv, mostBytes: 100, mostMs: 60_000 }, cancel.signal);
    const outcome = looking.then(
      () => 'ended',
      (thrown: unknown) => (thrown as Error).name,
    );
    const pid = await until('it runs', () => shell('cat looking 2>/dev/null').trim());
    cancel.abort();
    expect(await outcome).toBe('AbortError');
    await until('its group is gone', () => shell(`kill -0 -${pid} 2>/dev/null && echo there`) === '');
    const late = await target.look({ argv: ['sh', '-c', 'echo begun; sleep 4321'], mostBytes: 100, mostMs: 300 }, never);
    expect([late.cut, late.stdout.toString()]).toEqual(['time', 'begun\n']);
    const long = await target.look({ argv: ['yes'], mostBytes: 20_000, mostMs: 60_000 }, never);
    expect([long.cut, long.stdout.length > 10_000]).toEqual(['bytes', true]);
    const exact = await target.look({ argv: ['cat'], input: Uint8Array.from([0, 255, 10, 13]), mostBytes: 100, mostMs: 60_000 }, never);
    expect([exact.code, [...exact.stdout]]).toEqual([0, [0, 255, 10, 13]]);
    expect(
      (
        await target.look({ argv: ['printf', '%s|', "it's", '', '$HOME', 'a\nb'], mostBytes: 100, mostMs: 60_000 }, never)
      ).stdout.toString(),
    ).toBe("it's||$HOME|a\nb|");
  });
}
