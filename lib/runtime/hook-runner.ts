/**
 * Asks the hooks of extensions, one after the other, each within its time. One that throws, hangs or answers nonsense is disabled and the
 * program goes on; only a guard that does so keeps the call that it was asked about from running.
 */

import type { Clock } from '../base/clock.js';
import { abortError, asBuddyError, BuddyError, isAbort, messageOf } from '../base/errors.js';
import type { ModelRequest } from '../models/provider.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { Message } from '../protocol/messages.js';
import { answerAt } from './hook-answers.js';
import type { ExtensionHost, HookAnswers, Hooked, HookedCall, HookPoint, HookTold } from './hooks.js';

/** Milliseconds that a hook has when the settings say nothing. */
export const HOOK_MS = 5000;

/** What became of a tool call before it is reviewed. */
export type GuardedCall =
  | { readonly kind: 'same' }
  | { readonly kind: 'blocked'; readonly by: string; readonly reason: string }
  | { readonly kind: 'changed'; readonly by: string; readonly args: Readonly<Record<string, unknown>> };

/** What a hook put in the place of a result. */
export interface ReplacedResult {
  readonly by: string;
  readonly result: unknown;
  readonly isError: boolean;
}

export interface HookRunnerOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly host: ExtensionHost | null;
  emit(event: RuntimeEvent): void;
  /** Says that to the model, in the person's name. */
  prompt(text: string): void;
}

/** Those of one runtime. */
export class HookRunner {
  readonly #options: HookRunnerOptions;
  readonly #lasting = new AbortController();
  #session: string | null = null;

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  /** Is anybody to be waited for before a prompt is sent? */
  get isAsked(): boolean {
    const { host } = this.#options;
    return host !== null && (!host.isReady || this.#at('before_prompt').length > 0);
  }

  /** Tells what extensions have to say from now on, and starts them: nobody waits for that. */
  begin(): void {
    const { host, emit, prompt } = this.#options;
    if (host === null) return;
    host.onEvent(emit);
    host.onPrompt(prompt);
    host.ready(this.#lasting.signal).catch(() => undefined);
  }

  /** Lists them, or starts them anew when nothing runs (`busy`: what does). Why it is refused, or null. */
  perform(command: 'extensions.tell' | 'extensions.reload', busy: string | null, signal: AbortSignal): string | null {
    const { host, emit } = this.#options;
    if (host === null) return 'there are no extensions here';
    if (command === 'extensions.tell') {
      emit({ type: 'extensions.told', ...host.describe() });
      return null;
    }
    if (busy !== null) return busy;
    const session = this.#session;
    // Those that are there now are told of the end, and those that come of a beginning.
    this.#endSession()
      .then(() => host.reload(signal))
      .then(
        (message) => {
          emit({ type: 'notice', message });
          if (session !== null && this.#session === null) this.#begin(session, 'reload');
        },
        (thrown: unknown) => {
          if (!isAbort(thrown)) emit({ type: 'warning', message: `nothing was loaded anew: ${messageOf(thrown)}` });
        },
      );
    return null;
  }

  /** Told of every event: sessions begin and end with some. Nobody waits for those hooks. */
  hear(event: RuntimeEvent): void {
    if (event.type === 'lifecycle.started') this.#begin(event.session, 'start');
    else if (event.type === 'session.started') this.#begin(event.session, 'new');
    else if (event.type === 'session.resumed') this.#begin(event.session, 'resume');
  }

  /** The last of a session: its hooks are waited for, each as long as any. */
  async end(): Promise<void> {
    this.#lasting.abort();
    await this.#endSession();
  }

  /** The prompt as the model is told it. Rejects with an AbortError only. */
  async prompt(text: string, signal: AbortSignal): Promise<string> {
    await this.#options.host?.ready(signal);
    let said = text;
    const besides: string[] = [];
    for (const { by, answer } of await this.#each(
      'before_prompt',
      () => ({ text: said }),
      signal,
      (of) => {
        if (of?.text !== undefined) said = of.text;
      },
    )) {
      if (answer?.text !== undefined) this.#tell(`extension ${by} changed the prompt to: ${answer.text}`);
      if (answer?.context !== undefined) besides.push(`[extension ${by}] ${answer.context}`);
    }
    return [said, ...besides].join('\n\n');
  }

  /** Nobody waits for these hooks. */
  afterPrompt(text: string, messages: readonly Message[], signal: AbortSignal): void {
    const last = messages.at(-1);
    const answer = last?.role === 'assistant' ? last.text : '';
    const outcome = signal.aborted ? 'cancelled' : last?.role === 'assistant' && last.calls.length === 0 ? 'completed' : 'failed';
    void this.#each('after_prompt', () => ({ text, answer, outcome }), this.#lasting.signal).catch(() => undefined);
  }

  /** The request as it is sent. Rejects with an AbortError only. */
  async request(request: ModelRequest, signal: AbortSignal): Promise<ModelRequest> {
    let { messages } = request;
    const told = () => ({ messages: messages.map(({ role, text }) => ({ role, text })) });
    await this.#each('context', told, signal, (answer) => {
      for (const { index, text } of answer?.replace ?? []) messages = messages.map((of, at) => (at === index ? withText(of, text) : of));
    });
    const about = { messages: messages.length, tools: request.tools.map(({ name }) => name) };
    const added = (await this.#each('before_request', () => about, signal)).flatMap(({ answer }) =>
      answer === null ? [] : [answer.system],
    );
    return added.length === 0 && messages === request.messages
      ? request
      : { ...request, messages, instructions: [request.instructions, ...added].join('\n\n') };
  }

  /**
   * May the call go on to its review? The first change is answered at once: whoever asks has to ask anew with what it comes to, and names in
   * `settled` those that had their change. Fails closed: a guard that does not answer blocks it. Rejects with an AbortError only.
   */
  async beforeCall(call: HookedCall, signal: AbortSignal, settled: ReadonlySet<string> = new Set()): Promise<GuardedCall> {
    for (const hooked of this.#at('before_tool_call')) {
      const by = hooked.name;
      const asked = await this.#ask(hooked, 'before_tool_call', call, signal);
      if ('trouble' in asked) return { kind: 'blocked', by, reason: `the guard of extension ${by} failed: ${asked.trouble}` };
      const { answer } = asked;
      if (answer === null) continue;
      if ('block' in answer) return { kind: 'blocked', by, reason: answer.block };
      if (!settled.has(by)) return { kind: 'changed', by, args: answer.args };
    }
    return { kind: 'same' };
  }

  /** What stands in the place of the result, or null. Rejects with an AbortError only. */
  async afterCall(told: HookTold['after_tool_call'], signal: AbortSignal): Promise<ReplacedResult | null> {
    let now = told;
    let by: string | null = null;
    for (const hooked of this.#at('after_tool_call')) {
      const asked = await this.#ask(hooked, 'after_tool_call', now, signal);
      if ('trouble' in asked || asked.answer === null) continue;
      now = { ...now, result: asked.answer.result, isError: asked.answer.isError ?? now.isError };
      by = hooked.name;
    }
    return by === null ? null : { by, result: now.result, isError: now.isError };
  }

  /** What the first one that has a say in it wants done; null: nobody has. Rejects with an AbortError only. */
  async compaction(
    told: () => HookTold['compaction'],
    signal: AbortSignal,
  ): Promise<(HookAnswers['compaction'] & { readonly by: string }) | null> {
    for (const hooked of this.#at('compaction')) {
      const asked = await this.#ask(hooked, 'compaction', told(), signal);
      if (!('trouble' in asked) && asked.answer !== null) return { ...asked.answer, by: hooked.name };
    }
    return null;
  }

  #begin(session: string, reason: HookTold['session_start']['reason']): void {
    const { host } = this.#options;
    if (host === null) return;
    void (async () => {
      await host.ready(this.#lasting.signal);
      await this.#endSession();
      this.#session = session;
      await this.#each('session_start', () => ({ session, reason }), this.#lasting.signal);
    })().catch(() => undefined);
  }

  async #endSession(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    await this.#each('session_end', () => ({ session }), new AbortController().signal).catch(() => undefined);
  }

  #at(point: HookPoint): readonly Hooked[] {
    return this.#options.host?.hooked().filter(({ points }) => points.includes(point)) ?? [];
  }

  /** Each in turn; `heard` is told of an answer before the next one is asked. */
  async #each<P extends HookPoint>(
    point: P,
    told: () => HookTold[P],
    signal: AbortSignal,
    heard: (answer: HookAnswers[P]) => void = () => undefined,
  ): Promise<readonly { readonly by: string; readonly answer: HookAnswers[P] }[]> {
    const answers: { readonly by: string; readonly answer: HookAnswers[P] }[] = [];
    for (const hooked of this.#at(point)) {
      const asked = await this.#ask(hooked, point, told(), signal);
      if ('trouble' in asked) continue;
      heard(asked.answer);
      answers.push({ by: hooked.name, answer: asked.answer });
    }
    return answers;
  }

  /** One hook within its time. What goes wrong disables it. Rejects with an AbortError only. */
  async #ask<P extends HookPoint>(
    hooked: Hooked,
    point: P,
    told: HookTold[P],
    signal: AbortSignal,
  ): Promise<{ readonly answer: HookAnswers[P] } | { readonly trouble: string }> {
    try {
      return { answer: answerAt(point, await this.#within(point, (of) => hooked.call(point, told, of), signal)) };
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) throw abortError();
      const trouble = messageOf(thrown);
      // Who makes a call too large to be asked about must not be rid of the guard by that.
      if (asBuddyError(thrown, 'extension.failed').code === 'extension.size') this.#tell(`extension ${hooked.name}: ${point}: ${trouble}`);
      else hooked.disable(trouble);
      return { trouble };
    }
  }

  #within(point: HookPoint, ask: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    const { clock, timeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(abortError());
      const late = new AbortController();
      const onAbort = () => settle(() => reject(abortError()));
      const settle = (end: () => void) => {
        timer.dispose();
        signal.removeEventListener('abort', onAbort);
        end();
      };
      const timer = clock.after(timeoutMs, () => {
        const words = `its ${point} hook did not answer within ${timeoutMs / 1000} s`;
        settle(() => reject(new BuddyError('extension.time', words)));
        late.abort();
      });
      signal.addEventListener('abort', onAbort, { once: true });
      ask(AbortSignal.any([signal, late.signal])).then(
        (answer) => settle(() => resolve(answer)),
        (thrown: unknown) => settle(() => reject(thrown)),
      );
    });
  }

  #tell(message: string): void {
    this.#options.emit({ type: 'notice', message });
  }
}

/** What the model said stays as it said it: providers seal it. */
function withText(message: Message, text: string): Message {
  return message.role === 'assistant' ? message : { ...message, text };
}
