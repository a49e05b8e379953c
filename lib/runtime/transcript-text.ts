/** A conversation as one text, to be read and not to be gone on with. */

import type { Message, UserMessage } from '../protocol/messages.js';
import { cut, inert } from './recap.js';

/** Characters of one text, and of one result or one call's arguments; the first limits under which all of it fits are taken. */
const LIMITS = [
  { text: 8000, result: 2000, args: 1000 },
  { text: 4000, result: 800, args: 500 },
  { text: 1500, result: 300, args: 200 },
  { text: 600, result: 100, args: 100 },
] as const;

type Limits = (typeof LIMITS)[number];

/** What was said and done in `messages`, in at most about `most` characters; the oldest entries go when even short ones are too many. */
export function transcriptText(messages: readonly Message[], most: number): string {
  for (const limits of LIMITS) {
    const text = messages.map((message) => entry(message, limits)).join('\n');
    if (text.length <= most) return text;
  }
  const [first, ...others] = messages;
  // What an earlier summary says is known from nowhere else.
  const before = first?.role === 'user' && first.recap !== undefined ? [entry(first, LIMITS[3])] : [];
  const entries = (before.length === 0 ? messages : others).map((message) => entry(message, LIMITS[3]));
  const kept: string[] = [];
  let left = most - before.join('').length;
  for (const text of [...entries].reverse()) {
    left -= text.length + 1;
    if (left < 0) break;
    kept.unshift(text);
  }
  return [...before, `(${entries.length - kept.length} earlier entries are left out)`, ...kept].join('\n');
}

/** What the person brought along, shortened as results are; a picture by its name. */
function broughtBy({ attached = [] }: UserMessage, limits: Limits): readonly string[] {
  return attached.map(({ kind, name, text }) => inert(cut(`[${kind} ${name}] ${text}`.trimEnd(), limits.result)));
}

function entry(message: Message, limits: Limits): string {
  switch (message.role) {
    case 'user':
      // What an earlier summary says is not to be cut down once more.
      return message.recap === undefined
        ? [`[user] ${inert(cut(message.text, limits.text))}`, ...broughtBy(message, limits)].join('\n')
        : `[summary of what came before]\n${inert(message.text)}`;
    case 'assistant':
      return [
        ...(message.text.trim() === '' ? [] : [`[assistant] ${inert(cut(message.text, limits.text))}`]),
        ...message.calls.map((call) => `[call ${call.name}] ${inert(cut(call.argsText, limits.args))}`),
      ].join('\n');
    case 'tool':
      return [
        `[result of ${message.name}${message.isError ? ', an error' : ''}] ${inert(cut(message.text, limits.result))}`,
        ...(message.images ?? []).map(({ name }) => inert(`[image ${name}]`)),
      ].join('\n');
  }
}
