/** The model's window over a conversation: how much is in it, and how much it holds. */

import type { ToolSpec } from '../models/provider.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { Message } from '../protocol/messages.js';
import type { ContextMeter } from './context-meter.js';
import { estimateTokens, repaired } from './history.js';

/** What decides it. */
export interface ContextWindow {
  /** The conversation; compaction changes it in place. */
  readonly messages: Message[];
  readonly meter: ContextMeter;
  /** As the model's maker says. */
  readonly windowTokens: number;
  readonly instructions: string;
  readonly toolSpecs: readonly ToolSpec[];
}

/** What goes into a request, and its estimated tokens, uncorrected. */
export interface Fitted {
  readonly messages: readonly Message[];
  readonly estimate: number;
}

/** Characters that go with every request: instructions and tools. */
export function fixedCharacters({ instructions, toolSpecs }: Pick<ContextWindow, 'instructions' | 'toolSpecs'>): number {
  return instructions.length + JSON.stringify(toolSpecs).length;
}

/** The whole conversation as a request, with what is said besides for this one only. It comes last, so that all before it stays as it was. */
export function wholeRequest(window: ContextWindow, extra: readonly Message[]): Fitted {
  const messages = [...window.messages, ...extra];
  return { messages, estimate: estimateTokens(messages, fixedCharacters(window)) };
}

/** Tokens of such a request, corrected. */
export function usedTokens(window: ContextWindow, extra: readonly Message[] = []): number {
  return window.meter.corrected(wholeRequest(window, extra).estimate);
}

/** Repairs the conversation itself, so that what stands in for a missing result is the same in every request. */
export function makeSound({ messages }: ContextWindow, nowMs: number): void {
  const sound = repaired(messages, nowMs);
  if (sound.length === messages.length && sound.every((message, at) => message === messages[at])) return;
  messages.splice(0, messages.length, ...sound);
}

/** Tells how full the window is, and warns once when it gets tight. */
export function tellUse(window: ContextWindow, emit: (event: RuntimeEvent) => void): void {
  const { meter, windowTokens } = window;
  const used = usedTokens(window);
  emit({ type: 'metrics.context', usedTokens: used, windowTokens });
  if (!meter.crossesWarning(used, windowTokens)) return;
  emit({ type: 'warning', message: `${Math.round((100 * used) / windowTokens)} % of the model's window is used` });
}
