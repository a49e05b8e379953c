/** Compaction in the real program: a server that finds the request too long, `/compact`, and Esc while a summary is written. */

import type { ChatPiece, ChatRequest } from '../support/chat-server.js';
import { withProgram } from './program.js';

const size = { cols: 120, rows: 40 };
const TOO_LONG = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.";
const words = (n: number) => `answer ${n} ${'word '.repeat(1500)}`;

test('a request that is refused as too long is made smaller and answered; /compact by hand; Esc leaves all as it was', () => {
  let slow = false;
  let summaries = 0;
  async function* reply({ prompt, messages }: ChatRequest): AsyncIterable<ChatPiece> {
    if (prompt.startsWith('<transcript>')) {
      summaries++;
      // Until the program hangs up.
      if (slow) await new Promise(() => undefined);
      yield { content: `## Done\nSummary ${summaries}.` };
    } else if (prompt === 'three' && !JSON.stringify(messages).includes('Summary 1.')) yield { fail: { status: 400, message: TOO_LONG } };
    else yield { content: `${prompt}: ${words(1)}the end of ${prompt}.` };
  }
  return withProgram(reply, size, async (program) => {
    for (const prompt of ['one', 'two', 'three']) {
      program.line(prompt);
      await program.done(`the end of ${prompt}.`);
    }
    await program.until(/#4 compaction .*done/);
    const { seen } = program.server;
    expect(seen.map((request) => request.prompt.slice(0, 12))).toEqual(['one', 'two', 'three', '<transcript>', 'three']);
    expect(seen.at(-1)?.messages[1]?.content).toMatch(
      /^<earlier-conversation>[\s\S]*1\. one\n[\s\S]*Summary 1\.\n<\/earlier-conversation>$/,
    );
    slow = true;
    program.line('/compact the figures');
    await program.until(/the conversation is being summarised · Enter queues · Esc stops it/);
    program.send('\x1b');
    await program.until(/interrupted; the conversation is as it was/);
    slow = false;
    program.line('/compact');
    await program.until(/#6 compaction .*done/);
    await program.until(/│─+ what came before was summarised: \d+ tokens became \d+ ─/);
    program.line('four');
    await program.done('the end of four.');
    expect(JSON.stringify(seen.at(-1)?.messages)).toContain('Summary 3.');
  });
});
