/** A model of an extension: what it gives is put together, and what is none ends it. */

import { abortError } from '../../lib/base/errors.js';
import { userProvider } from '../../lib/extensions/user/user-provider.js';
import type { ModelRequest } from '../../lib/models/provider.js';

const summary = { profile: 'own', model: 'own', api: 'chat', contextTokens: 8000 } as const;
const request = { instructions: '', messages: [], tools: [] } as unknown as ModelRequest;

/** What an answer of those lines ends with, and whether the extension was told to stop. It goes on until it is told. */
async function asked(...lines: readonly string[]): Promise<{ readonly says: string; readonly stopped: boolean }> {
  let stopped = false;
  const provider = userProvider(summary, (_request, signal, hear) => {
    hear(lines.map((line) => `${line}\n`).join(''));
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        stopped = true;
        reject(abortError());
      });
    });
  });
  try {
    for await (const delta of provider.stream(request, new AbortController().signal)) if (delta.type === 'done') break;
    return { says: 'done', stopped };
  } catch (thrown) {
    return { says: (thrown as Error).message, stopped };
  }
}

test.each([
  ['undefined', 'the extension gave a piece that is none'],
  ['{"txet":"a"}', 'the extension gave a piece that is none'],
  [JSON.stringify({ text: 'x'.repeat(5 * 1024 * 1024) }), 'the extension gave an answer that is too long'],
  [JSON.stringify({ call: { name: 'x', args: { a: 'x'.repeat(5 * 1024 * 1024) } } }), 'the extension gave calls that are too long'],
])('%.20s… ends the answer, and the extension is told', async (line, says) => {
  expect(await asked('{"text":"so far"}', line)).toEqual({ says, stopped: true });
});
