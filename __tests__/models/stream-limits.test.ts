/** An answer that does not end is given up: by the size of a line, of an event, and of all of it; and that is said. */

import type { BuddyError } from '../../lib/base/errors.js';
import type { Fetch } from '../../lib/base/http.js';
import { Limits } from '../../lib/config/limits.js';
import { defaultSettings, type Settings } from '../../lib/config/settings.js';
import { ask, collect, openProvider, profileFor } from './provider-under-test.js';
import { apis, eventsOf } from './spoken.js';

const MIB = 1024 * 1024;

/** Answers with `head`, then with `piece` for ever; tells how much was taken. */
function endless(head: string, piece: string): { readonly fetch: Fetch; taken(): number; readonly isLetGo: Promise<void> } {
  let taken = 0;
  let letGo: () => void = () => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const bytes = Buffer.from(piece);
  let isFirst = true;
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = isFirst ? Buffer.from(head) : bytes;
        isFirst = false;
        taken += next.length;
        controller.enqueue(next);
      },
      cancel: () => letGo(),
    });
  const fetch: Fetch = (_input, init) => {
    init?.signal?.addEventListener('abort', () => letGo());
    return Promise.resolve(new Response(body(), { headers: { 'content-type': 'text/event-stream' } }));
  };
  return { fetch, taken: () => taken, isLetGo };
}

async function failing(
  api: (typeof apis)[number],
  given: ReturnType<typeof endless>,
  settings: Partial<Settings> = {},
): Promise<BuddyError> {
  const limits = new Limits({ ...defaultSettings(), ...settings });
  const { provider, http } = await openProvider(profileFor(api, 'https://model.example/v1'), { fetch: given.fetch, limits });
  const failure = await collect(provider, ask()).then(
    () => null,
    (thrown: unknown) => thrown as BuddyError,
  );
  await given.isLetGo;
  await http.close();
  if (failure === null) throw new Error('it did not fail');
  return failure;
}

const long = 'x'.repeat(64 * 1024);

describe.each(apis)('%s', (api) => {
  const [first = ''] = eventsOf(api, { text: ['hello '] });

  test('a line without end, from its beginning and in the middle', async () => {
    for (const head of ['data: ', `${first}data: `]) {
      const given = endless(head, long);
      const { code, message, hint } = await failing(api, given);
      expect({ code, message }).toEqual({
        code: 'model.stream',
        message: 'The answer of model.example holds a line or an event of more than 4096 KiB, and was given up',
      });
      expect(hint).toContain('The limit is limits.stream_event_kib (/limits event).');
      expect(given.taken()).toBeLessThan(5 * MIB);
    }
  });

  test('an event of lines without end, and 10 MB in one line', async () => {
    expect((await failing(api, endless('', `data: ${long}\n`))).message).toContain('more than 4096 KiB');
    expect((await failing(api, endless('', `data: ${'x'.repeat(10_000_000)}\n\n`))).message).toContain('more than 4096 KiB');
  });

  test.each([
    ['events that nobody knows', `event: new\ndata: {"type":"new","x":"${long}"}\n\n`],
    ['comments', `: ${long}\n\n`],
    ['an answer that is no stream', ` ${long}`],
  ])('%s without end', async (_name, piece) => {
    const given = endless(piece.startsWith(' ') ? '{"a":"' : first, piece);
    const { code, message, retryable } = await failing(api, given, { 'limits.stream_total_mib': 2 });
    expect({ code, message, retryable }).toEqual({
      code: 'model.stream',
      message: 'The answer of model.example is longer than 2 MiB, and was given up',
      retryable: false,
    });
    expect(given.taken()).toBeLessThan(3 * MIB);
  });
});
