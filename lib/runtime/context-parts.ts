/** What the next request would hold, part by part. */

import type { ToolSpec } from '../models/provider.js';
import type { ContextPart, RuntimeEvent } from '../protocol/events.js';
import type { Message } from '../protocol/messages.js';
import type { ContextMeter } from './context-meter.js';
import type { ContextWindow } from './context-window.js';
import { estimateTokens } from './history.js';

/** What a request is made of. */
export interface ContextContent {
  readonly instructions: string;
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** What is told of the terminal; null: nothing. */
  readonly terminal: string | null;
}

/** The parts in tokens: an estimate, corrected as `meter` has learned. Those that are empty are left out, but for the first two. */
export function contextParts({ instructions, tools, messages, terminal }: ContextContent, meter: ContextMeter): readonly ContextPart[] {
  const fixed = (characters: number) => meter.corrected(estimateTokens([], characters));
  const of = (kind: ContextPart['kind'], role: Message['role']): ContextPart => {
    const those = messages.filter((message) => message.role === role);
    return { kind, tokens: meter.corrected(estimateTokens(those, 0)), count: those.length };
  };
  const spoken = [of('prompts', 'user'), of('answers', 'assistant'), of('results', 'tool')];
  return [
    { kind: 'instructions', tokens: fixed(instructions.length), count: null },
    { kind: 'tools', tokens: fixed(JSON.stringify(tools).length), count: tools.length },
    ...spoken.filter(({ count }) => count !== 0),
    ...(terminal === null ? [] : [{ kind: 'terminal', tokens: fixed(terminal.length), count: null } as const]),
  ];
}

/** `context.told` of the next request; `terminal` is what would be said of it there, `files` are those of the instructions. */
export function contextTold(
  window: ContextWindow,
  terminal: string | null,
  files: readonly { readonly path: string; readonly characters: number }[] = [],
): RuntimeEvent {
  const { instructions, toolSpecs, messages, meter, windowTokens } = window;
  const parts = contextParts({ instructions, tools: toolSpecs, messages, terminal }, meter);
  const told = files.map(({ path, characters }) => ({ path, tokens: meter.corrected(estimateTokens([], characters)) }));
  return { type: 'context.told', parts, windowTokens, isMeasured: meter.isMeasured, ...(told.length === 0 ? {} : { files: told }) };
}
