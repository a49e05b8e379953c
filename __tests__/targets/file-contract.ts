/** What files must do through every target, wherever it is: the same tests for each ground. */

import { createHash, randomBytes } from 'node:crypto';
import type { Place } from '../../lib/targets/places/place.js';
import type { ExecutionTarget } from '../../lib/targets/target.js';
import { until } from '../support/until.js';
import { never } from './local-target.js';

/** A target, and a way to look past it. */
export interface FileGround {
  readonly target: Pick<ExecutionTarget, 'readFile' | 'writeFile' | 'homeDir'>;
  readonly place: Pick<Place, 'realPath'>;
  /** What a POSIX shell there prints; it begins in the home folder. */
  shell(script: string): string;
}

const LARGE = 50 * 1024 * 1024;
const NAMES = ["it's", 'a "b" $c `d`', 'line\nline', 'end\n', '-rf', '--', '*', 'żółć', ' blank ', '#x;y&z', '\\n', '~'];

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Defines the tests. `run` is `test` or `test.skip`; `ground` is asked in each test. */
export function fileContract(run: typeof test | typeof test.skip, ground: () => FileGround): void {
  const read = (path: string, offset = 0, limit = 1000) => ground().target.readFile(path, { offset, limit }, never);
  const write = (path: string, bytes: Uint8Array | string) => ground().target.writeFile(path, Buffer.from(bytes), never);
  const shell = (script: string) => ground().shell(script);

  run('50 MB of any bytes go there and come back, and so does a piece from the middle', async () => {
    const bytes = randomBytes(LARGE);
    await write('~/big', bytes);
    expect(shell('sha256sum <big').slice(0, 64)).toBe(sha(bytes));
    const { bytes: back, size } = await read('~/big', 0, LARGE);
    expect([sha(back), size]).toEqual([sha(bytes), LARGE]);
    const piece = await read('~/big', LARGE - 10, 1000);
    expect([Buffer.from(piece.bytes).equals(bytes.subarray(LARGE - 10)), piece.size]).toEqual([true, LARGE]);
    expect(await read('~/big', LARGE + 5, 10)).toMatchObject({ bytes: expect.objectContaining({ length: 0 }), size: LARGE });
    shell('rm big');
  });

  run.each(NAMES)('a file called %j', async (name) => {
    const path = `${ground().target.homeDir}/names/${name}`;
    const bytes = Uint8Array.from([0, 1, 255, 10, 13, 10]);
    await write(path, bytes);
    expect([...(await read(path)).bytes]).toEqual([...bytes]);
    expect(shell('cd names && for f in * .*; do [ -f "$f" ] && printf "%s|" "$f"; done; rm -rf ../names')).toBe(`${name}|`);
  });

  run('writes whole, keeps mode and owner, follows links, makes folders, leaves nothing beside', async () => {
    shell('mkdir w; printf old >w/script; chmod 4751 w/script; ln -s script w/link');
    const owned = shell('chown 1234:1235 w/script 2>/dev/null; chmod 4751 w/script; ls -ln w/script').split(/\s+/).slice(0, 4);
    await write('~/w/link', 'new');
    expect(shell('cat w/script; ls -ln w/script').split(/\s+/).slice(0, 4)).toEqual([`new${owned[0]}`, ...owned.slice(1)]);
    await write('~/w/deep/er/f', '');
    expect(shell('ls -l w/deep/er/f').slice(0, 10)).toBe('-rw-r--r--');
    expect(shell('ls -A w')).toBe('deep\nlink\nscript\n');
    shell('rm -rf w');
  });

  run('what is no regular file is refused, and what is not there is told', async () => {
    const home = ground().target.homeDir;
    const refused = (words: string) => ({
      code: 'target.file',
      message: expect.stringMatching(new RegExp(`^cannot (read|write) .*: ${words}$`)),
    });
    shell('mkfifo pipe; ln -s nowhere/x loose');
    await expect(read('~/none')).rejects.toMatchObject(refused('no such file or folder'));
    await expect(read(home)).rejects.toMatchObject(refused('it is a folder'));
    await expect(write(home, 'x')).rejects.toMatchObject(refused('it is a folder'));
    for (const path of ['~/pipe', '/dev/zero']) {
      await expect(read(path)).rejects.toMatchObject(refused('it is no regular file'));
      await expect(write(path, 'x')).rejects.toMatchObject(refused('it is no regular file'));
    }
    await expect(write('/proc/none/x', 'x')).rejects.toMatchObject({ code: 'target.file' });
    expect((await read('/proc/self/status', 0, 5)).bytes).toHaveLength(5);
    const gone = ground().target.writeFile('~/never', Buffer.from('x'), AbortSignal.abort());
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    expect(shell('[ -e never ] || echo none; rm pipe loose')).toBe('none\n');
  });

  run('a write that is cancelled in the middle leaves the old file as it was, and nothing beside', async () => {
    shell('mkdir c; printf old >c/kept');
    const cancel = new AbortController();
    const writing = ground().target.writeFile('~/c/kept', randomBytes(LARGE), cancel.signal);
    const outcome = writing.then(
      () => 'written',
      (thrown: unknown) => (thrown as Error).name,
    );
    cancel.abort();
    expect(await outcome).toBe('AbortError');
    await until('nothing is left beside', () => shell('ls -A c') === 'kept\n');
    expect(shell('cat c/kept; rm -rf c')).toBe('old');
  });

  run('real paths are those of the place: links followed, missing parts as they stand', async () => {
    const home = shell('pwd -P').trim();
    const real = (path: string) => ground().place.realPath(path, never);
    shell('mkdir -p "r/real it\'s"; printf x >"r/real it\'s/f"; ln -s "real it\'s" r/folder; ln -s folder/f r/file; ln -s /etc r/etc');
    expect(await real(`${home}/r/file`)).toBe(`${home}/r/real it's/f`);
    expect(await real(`${home}/r/folder/f`)).toBe(`${home}/r/real it's/f`);
    expect(await real(`${home}/r/folder/new/er`)).toBe(`${home}/r/real it's/new/er`);
    expect(await real(`${home}/r/etc/passwd`)).toBe('/etc/passwd');
    expect(await real(`${home}/r/etc/new`)).toBe('/etc/new');
    expect(await real('/none/at/all')).toBe('/none/at/all');
    expect(await real('/')).toBe('/');
    shell('rm -rf r');
  });
}
