/** Logins and keys in the keyring of the system: auth.json says so and holds none of them, and they move both ways. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../lib/base/clock.js';
import { BuddyError } from '../../../lib/base/errors.js';
import type { Host } from '../../../lib/base/host.js';
import type { KeyringEntry } from '../../../lib/base/keyring.js';
import { CredentialStore, type KeptIn } from '../../../lib/models/auth/credential-store.js';
import { keysOf, withKey } from '../../../lib/models/auth/credentials.js';

const never = new AbortController().signal;
let home: string;
let notices: string[];
/** What the keyring holds, and why it cannot be used. */
let kept: string | null;
let trouble: BuddyError | null;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-keyring-'));
  notices = [];
  kept = null;
  trouble = null;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const use = <T>(work: () => T): Promise<T> => (trouble === null ? Promise.resolve(work()) : Promise.reject(trouble));
const keyring: KeyringEntry = {
  read: () => use(() => kept),
  write: (text) =>
    use(() => {
      kept = text;
    }),
  remove: () =>
    use(() => {
      kept = null;
    }),
};

function store(keep?: KeptIn): CredentialStore {
  const uid = process.getuid?.() ?? null;
  const host = { env: {}, homeDir: home, pid: process.pid, hostname: 'here', uid, clock: systemClock } as unknown as Host;
  const notice = (text: string) => notices.push(text.replaceAll(home, '~'));
  return new CredentialStore(host, { keyring, notice, ...(keep === undefined ? {} : { keep }) });
}

const add = (name: string, keep?: KeptIn) => {
  const into = store(keep);
  const key = { name, key: `key-of-${name}`, origin: `https://${name}.example` };
  return into.update((file) => withKey(file, key), 'set-aside', never).then(() => into.place.replace(home, '~'));
};
const onDisk = () => readFileSync(join(home, '.config', 'buddy', 'auth.json'), 'utf8');
const names = async () => keysOf(await store().read()).map(({ name }) => name);
const gone = () => new BuddyError('auth.keyring', 'The keyring of the system cannot be used: it is locked, and was not unlocked');

test('the content goes to the keyring with the next change, stays there for those that do not ask, and comes back', async () => {
  expect(await add('one')).toBe('~/.config/buddy/auth.json');
  expect(await add('two', 'keyring')).toBe('the keyring of the system');
  expect(JSON.parse(onDisk())).toEqual({ version: 4, kept: 'keyring' });
  expect(await names()).toEqual(['one', 'two']);
  expect(await add('three')).toBe('the keyring of the system');
  expect(onDisk()).not.toContain('key-of');
  expect(await names()).toEqual(['one', 'two', 'three']);
  expect(await add('four', 'file')).toBe('~/.config/buddy/auth.json');
  expect(await names()).toEqual(['one', 'two', 'three', 'four']);
  expect(kept).toBeNull();
  expect(notices).toEqual([]);
});

test('without a keyring auth.json stays, and one sentence says why', async () => {
  trouble = gone();
  expect(await add('one', 'keyring')).toBe('~/.config/buddy/auth.json');
  expect(await names()).toEqual(['one']);
  expect(notices).toEqual([
    'The keyring of the system cannot be used: it is locked, and was not unlocked; ~/.config/buddy/auth.json is used instead',
  ]);
});

test('what is in a keyring that cannot be used now is told, not replaced', async () => {
  await add('one', 'keyring');
  trouble = gone();
  await expect(store().read()).rejects.toMatchObject({ code: 'auth.keyring' });
  await expect(store().update((file) => file, 'fail', never)).rejects.toMatchObject({ code: 'auth.keyring' });
  expect(JSON.parse(onDisk())).toEqual({ version: 4, kept: 'keyring' });
  // A new login is the person's own wish: it is kept, and what was said of the old one is told.
  expect(await add('two', 'file')).toBe('~/.config/buddy/auth.json');
  expect(notices).toEqual([expect.stringContaining('what is kept there stays, and ~/.config/buddy/auth.json is begun anew')]);
  expect(await names()).toEqual(['two']);
});

test.each([['keyring'], [undefined]] as const)(
  'what was kept beside a keyring out of reach (store: %s) joins what is in it, and is the newer',
  async (keep) => {
    await add('one', 'keyring');
    await add('two', 'keyring');
    trouble = gone();
    const anew = store(keep);
    const two = { name: 'two', key: 'newer-key-of-two', origin: 'https://two.example' };
    await anew.update((file) => withKey(file, two), 'set-aside', never);
    expect(anew.keptIn).toBe('file');
    // One more while it is out of reach: nothing of the first is lost.
    expect(await add('three', keep)).toBe('~/.config/buddy/auth.json');
    expect(await names()).toEqual(['two', 'three']);
    trouble = null;
    expect(await add('four', 'keyring')).toBe('the keyring of the system');
    expect(
      keysOf(await store().read())
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['four', 'one', 'three', 'two']);
    expect(kept).toContain('newer-key-of-two');
    expect(onDisk()).not.toContain('key-of');
  },
);

test('back in the file both are one, and the keyring is empty', async () => {
  await add('one', 'keyring');
  trouble = gone();
  await add('two', 'file');
  trouble = null;
  expect(await add('three', 'file')).toBe('~/.config/buddy/auth.json');
  expect((await names()).toSorted()).toEqual(['one', 'three', 'two']);
  expect(onDisk()).not.toContain('keyring');
  expect(kept).toBeNull();
});

test('a keyring that is reached again while a login is written is not replaced', async () => {
  await add('one', 'keyring');
  trouble = gone();
  await store('keyring').exclusively(
    async ({ file, save }) => {
      trouble = null;
      await save(withKey(file, { name: 'two', key: 'key-of-two', origin: 'https://two.example' }));
    },
    'set-aside',
    never,
  );
  expect(kept).toContain('key-of-one');
});

test('an old copy that cannot be removed is told, and the new one holds', async () => {
  await add('one', 'keyring');
  const into = store('file');
  await into.exclusively(
    async ({ file, save }) => {
      trouble = gone();
      await save(withKey(file, { name: 'two', key: 'key-of-two', origin: 'https://two.example' }));
    },
    'fail',
    never,
  );
  expect(notices).toEqual([expect.stringMatching(/^The old copy stays in the keyring\. The keyring of the system cannot be used/)]);
  expect(await names()).toEqual(['one', 'two']);
});

test.each([
  ['nothing', null, []],
  ['a key', JSON.stringify({ version: 4, api_keys: { one: { key: 'k-1', origin: 'https://one.example' } } }), ['one']],
])('a keyring that holds %s', async (_, text, wanted) => {
  await add('zero', 'keyring');
  kept = text;
  expect(await names()).toEqual(wanted);
});

test('a keyring that holds something else is set aside as a broken file is', async () => {
  await add('zero', 'keyring');
  kept = 'no JSON';
  await expect(store().read()).rejects.toMatchObject({ code: 'auth.store' });
  writeFileSync(join(home, '.config', 'buddy', 'auth.json'), '{"version":4,"kept":"keyring"}', { mode: 0o600 });
  expect(await add('one', 'keyring')).toBe('the keyring of the system');
  expect(await names()).toEqual(['one']);
});
