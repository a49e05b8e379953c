/** Answers over HTTP that grow without end are cut off; streams that only last are not. */

import { cappedFetch } from '../../lib/mcp/capped-fetch.js';

const MOST = 1024 * 1024;

/** Reads pieces of an answer of that type; how many bytes came through, and what was said. */
async function read(type: string, pieces: readonly string[]): Promise<{ readonly bytes: number; readonly said: readonly string[] }> {
  const said: string[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      controller.close();
    },
  });
  const answer = new Response(body, { headers: { 'content-type': type } });
  const capped = cappedFetch(
    () => Promise.resolve(answer),
    MOST,
    (says) => said.push(says),
  );
  const { body: counted } = await capped('http://x.example');
  let bytes = 0;
  try {
    for await (const chunk of counted ?? []) bytes += chunk.length;
  } catch (thrown) {
    said.push((thrown as Error).message);
  }
  return { bytes, said };
}

const line = `data: ${'x'.repeat(65_530)}`;
const many = (text: string) => Array.from({ length: 40 }, () => text);
const tooMuch = ['it sent a message of more than 1 MiB', 'it sent a message of more than 1 MiB'];

test.each([
  ['\n\n', '\n\n'],
  ['\r\n\r\n', '\r\n\r\n'],
  ['\r\r', '\r\r'],
])('a stream whose events end with %j may last', async (_what, end) => {
  const { bytes, said } = await read('text/event-stream; charset=utf-8', many(`${line}${end}`));
  expect([bytes > 2 * MOST, said]).toEqual([true, []]);
});

test('an empty line may come in two pieces', async () => {
  const pieces = many(`${line}\r\n\r`).flatMap((piece) => [piece, '\n']);
  expect((await read('text/event-stream', pieces)).said).toEqual([]);
});

test.each(['\n', '\r\n', ''])('one event of lines that end with %j and go on is cut off', async (end) => {
  const { bytes, said } = await read('text/event-stream', many(`${line}${end}`));
  expect([bytes <= MOST, said]).toEqual([true, tooMuch]);
});

test('any other answer is cut off, whatever is in it', async () => {
  expect((await read('application/json', many(`${line}\n\n`))).said).toEqual(tooMuch);
});
