/** Messages of a conversation, and whether a list of them is one that every provider accepts. */

import fc from 'fast-check';
import type { Message } from '../../lib/protocol/messages.js';
import { toolEnvelope } from '../../lib/runtime/envelope.js';

/** Said by the person. */
export const user = (text: string): Message => ({ role: 'user', text });

/** An answer with a call for each id. */
export const assistant = (text: string, ids: readonly string[] = []): Message => ({
  role: 'assistant',
  text,
  reasoning: '',
  calls: ids.map((id) => ({ id, name: 'run_shell', argsText: `{"command":"echo ${id}"}` })),
  extras: {},
  incomplete: false,
});

/** The result of the call with that id. */
export const result = (id: string, output = '', exitCode = 0): Message => ({
  role: 'tool',
  callId: id,
  name: 'run_shell',
  text: toolEnvelope({ status: 'exited', exit_code: exitCode, output }, 0),
  isError: exitCode !== 0,
});

/** What makes `messages` no conversation that a provider accepts; null when nothing does. */
export function unsound(messages: readonly Message[]): string | null {
  let waiting: readonly string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (waiting[0] !== message.callId) return `message ${at} is a result of ${message.callId}, expected ${waiting[0] ?? 'none'}`;
      waiting = waiting.slice(1);
      continue;
    }
    if (waiting.length > 0) return `before message ${at} there is no result of ${waiting[0]}`;
    if (message.role !== 'assistant') continue;
    if (message.calls.length === 0 && message.text.trim() === '') return `message ${at} is empty`;
    waiting = message.calls.map(({ id }) => id);
  }
  return waiting.length > 0 ? `at the end there is no result of ${waiting[0]}` : null;
}

/** A sound conversation: prompts, answers, calls with their results, of any length. */
export const conversations: fc.Arbitrary<readonly Message[]> = fc
  .array(
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 200 }).map((text) => ({ user: text })),
      fc.string({ minLength: 1, maxLength: 200 }).map((text) => ({ answer: `a${text}` })),
      fc.array(fc.nat(9000), { minLength: 1, maxLength: 4 }).map((sizes) => ({ sizes })),
    ),
    { maxLength: 24 },
  )
  .map((steps) =>
    steps.flatMap((step, at): readonly Message[] => {
      if ('user' in step) return [user(step.user)];
      if ('answer' in step) return [assistant(step.answer)];
      const ids = step.sizes.map((_, n) => `c${at}-${n}`);
      return [assistant('', ids), ...step.sizes.map((size, n) => result(ids[n] ?? '', 'x'.repeat(size), size % 3))];
    }),
  );
