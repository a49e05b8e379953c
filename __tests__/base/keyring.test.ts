/** The keyring of the system at its boundary: what each failure of the package becomes, and that nothing waits for ever. */

import { type KeyringModule, keyringEntry } from '../../lib/base/keyring.js';
import { FakeClock, settle } from '../support/fake-clock.js';

const never = new AbortController().signal;
type Entry = InstanceType<KeyringModule['AsyncEntry']>;

/** A package whose keyring does that. */
function moduleOf(ways: Partial<Entry>, made: unknown[] = []): KeyringModule {
  class AsyncEntry {
    getPassword = ways.getPassword ?? (async () => null);
    setPassword = ways.setPassword ?? (async () => undefined);
    deletePassword = ways.deletePassword ?? (async () => true);
    constructor(...args: unknown[]) {
      made.push(args);
    }
  }
  return { AsyncEntry };
}

const entry = (load: () => Promise<KeyringModule>, clock = new FakeClock()) => keyringEntry({ service: 's', account: 'a', clock }, load);
const failing = (message: string) => entry(async () => moduleOf({ getPassword: () => Promise.reject(new Error(message)) })).read(never);

test('it is the Secret Service and no other store; the package is loaded when something is asked', async () => {
  const made: unknown[] = [];
  let loads = 0;
  const kept = entry(async () => {
    loads++;
    return moduleOf({ getPassword: async () => 'text' }, made);
  });
  expect(loads).toBe(0);
  expect(await kept.read(never)).toBe('text');
  await kept.write('x', never);
  await kept.remove(never);
  expect(made).toEqual(Array.from({ length: 3 }, () => ['s', 'a', { linux: { store: 'secret-service' } }]));
});

test('one sentence for each thing that is missing', async () => {
  const missing = entry(() => Promise.reject(new Error("Cannot find package '@napi-rs/keyring'")));
  await expect(missing.read(never)).rejects.toMatchObject({
    code: 'auth.keyring',
    message: 'The keyring of the system cannot be used: its package @napi-rs/keyring is not installed here, or not for this system',
    hint: expect.stringContaining('store = "file"'),
  });
  await expect(failing('Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled')).rejects.toMatchObject({
    message: 'The keyring of the system cannot be used: there is no Secret Service (gnome-keyring, KWallet, KeePassXC) in this session',
  });
  await expect(failing("Couldn't access platform storage: Secret Service: unlock prompt was dismissed")).rejects.toMatchObject({
    message: 'The keyring of the system cannot be used: it is locked, and was not unlocked',
  });
  await expect(failing('Something\n else')).rejects.toMatchObject({
    message: 'The keyring of the system cannot be used: Something else',
  });
});

test('a keyring that waits for a person is given up after a minute, and at once when the caller is', async () => {
  const clock = new FakeClock();
  const waiting = entry(async () => moduleOf({ getPassword: () => new Promise<null>(() => undefined) }), clock);
  const late = waiting.read(never);
  const refused = expect(late).rejects.toMatchObject({
    message: 'The keyring of the system cannot be used: it did not answer within 60 s',
  });
  await settle();
  await clock.advance(60_000);
  await refused;
  const stop = new AbortController();
  const stopped = expect(waiting.read(stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  await settle();
  stop.abort();
  await stopped;
  await settle();
  expect(clock.pending).toBe(0);
});
