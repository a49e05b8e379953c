/** What the next request would hold, part by part. */

import type { ToolSpec } from '../models/provider.js';
import type { ContextPart, RuntimeEvent } from '../protocol/events.js';
import type { Message } from '../protocol/messages.js';
import type { ExecutionTarget } from '../targets/target.js';
import type { ContextMeter } from './context-meter.js';
import type { Conversation } from './conversation.js';
import { estimateTokens } from './history.js';
import { terminalContext } from './terminal-context.js';

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

/** Looks at the terminal as a request would, and emits `context.told`; nothing when `signal` fires first. */
export async function tellContext(
  { target, instructions }: { readonly target: ExecutionTarget; instructions(toolNames: readonly string[]): string },
  { messages, meter, model }: Conversation,
  tools: readonly ToolSpec[],
  { isTaken }: { readonly isTaken: boolean },
  signal: AbortSignal,
  emit: (event: RuntimeEvent) => void,
): Promise<void> {
  const terminal = await terminalContext(target, isTaken, signal).catch(() => null);
  if (signal.aborted) return;
  const content = { instructions: instructions(tools.map(({ name }) => name)), tools, messages, terminal };
  emit({ type: 'context.told', parts: contextParts(content, meter), windowTokens: model.contextTokens, isMeasured: meter.isMeasured });
}
