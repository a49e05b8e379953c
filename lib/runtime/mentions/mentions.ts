/** What a person brings along by `@`: looked for where commands run, put into a frame, and told. The table of its kinds is `sources`. */

import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import { asBuddyError, isAbort } from '../../base/errors.js';
import type { ModelSummary, RuntimeEvent } from '../../protocol/events.js';
import { type Mention, type MentionChoice, mentionsIn } from '../../protocol/mentions.js';
import { type AttachedText, type Attachment, type ImagePart, imageBytes, type Message, type UserMessage } from '../../protocol/messages.js';
import { imageTokens } from '../image-tokens.js';
import type { Said } from '../lane.js';
import type { PictureFitter } from '../pictures.js';
import { attachedOf } from './framed.js';
import type { Brought, Found, MentionLook, MentionSource } from './mention-source.js';

/** Bytes of one text: a quarter of the window, within these; of all texts of one prompt so many times that. */
const ROOM = { least: 8000, most: 64_000, together: 4 } as const;
/** A person who types is not looked after with each key (milliseconds). */
const TYPING_MS = 200;
/** What was looked at is not looked at again for so long (milliseconds). */
const KNOWN_MS = 5000;
/** For one mention. */
const MOST_CHOICES = 50;
const NO_IMAGES = 'the model takes no images';

export interface MentionsOptions {
  readonly clock: Clock;
  /** The first that fits a word is asked. */
  readonly sources: readonly MentionSource[];
  readonly pictures: PictureFitter;
  model(): ModelSummary;
  emit(event: RuntimeEvent): void;
}

/** Where something is said. */
export interface Conversing {
  readonly task: string;
  readonly messages: Message[];
  /** Called once it is among the messages. */
  said(): void;
}

/** Those of one runtime. */
export class Mentions {
  readonly #options: MentionsOptions;
  readonly #known = new Map<string, { readonly atMs: number; readonly found: Sought }>();
  #asked: { readonly abort: AbortController; readonly timer: Disposable } | null = null;

  constructor(options: MentionsOptions) {
    this.#options = options;
  }

  /** Adds what the person said to a conversation, with what they brought along; what that was is told by `task.attached`. Never rejects. */
  async say(said: Said, to: Conversing, signal: AbortSignal): Promise<void> {
    const isPlain = this.isPlain(said);
    const own: UserMessage = isPlain ? { role: 'user', text: said.text } : await this.#message(said, signal);
    const message = said.from === undefined ? own : { ...own, attached: [wordsFrom(said.from, said.text), ...(own.attached ?? [])] };
    to.messages.push(message);
    to.said();
    const attached = attachedEvent(to.task, message);
    if (attached !== null) this.#options.emit(attached);
  }

  /** Nothing is to be looked for: its message is its text. */
  isPlain({ text, mentions = text, images = [] }: Said): boolean {
    return images.length === 0 && mentionsIn(mentions).length === 0;
  }

  /** The message for it; why something is not attached is told. When aborted, the words alone. */
  async #message(said: Said, signal: AbortSignal): Promise<UserMessage> {
    const plain: UserMessage = { role: 'user', text: said.text };
    try {
      const given = await this.#given(said.images ?? [], signal);
      const found = [...given, ...(await this.#all(mentionsIn(said.mentions ?? said.text), signal))];
      this.#tellTroubles(found);
      const brought = found.flatMap((one) => ('brought' in one ? [one.brought] : []));
      if (brought.length === 0) return plain;
      const attached = brought.map((one) => this.#attached(one));
      const images = brought.flatMap(({ image }) => image ?? []);
      return { ...plain, attached, ...(images.length === 0 ? {} : { images }) };
    } catch (thrown) {
      if (!isAbort(thrown)) throw thrown;
      return plain;
    }
  }

  /** Looks at the mentions of `text`, once nobody has asked for others for a moment, and tells of them by `mentions.told`. */
  tell(text: string): void {
    this.stop();
    const abort = new AbortController();
    const timer = this.#options.clock.after(TYPING_MS, () => void this.#measure(text, abort.signal));
    this.#asked = { abort, timer };
  }

  /** Nobody wants to know any more. */
  stop(): void {
    this.#asked?.abort.abort();
    this.#asked?.timer.dispose();
    this.#asked = null;
  }

  async #measure(text: string, signal: AbortSignal): Promise<void> {
    const look: MentionLook = { mostBytes: this.#room(), whole: false };
    const mentions = mentionsIn(text);
    const [found, choices] = await Promise.all([
      Promise.all(mentions.map((mention) => this.#remembered(mention, look, signal))).catch(() => null),
      Promise.all(mentions.map(({ words: [typed = ''] }) => this.#choices(typed, signal))),
    ]);
    if (found === null || signal.aborted) return;
    const brought = found.flatMap((one) => ('brought' in one ? [one.brought] : []));
    const tokens = brought.reduce((sum, one) => sum + tokensOf(one), 0);
    const troubles = found.flatMap((one) => ('trouble' in one ? [one.trouble] : []));
    const missing = found.flatMap((one) => ('missing' in one ? [one.missing] : []));
    const attached = brought.map((one) => withoutText(this.#attached(one)));
    this.#options.emit({ type: 'mentions.told', text, attached, tokens, troubles, missing, choices: choices.flat() });
  }

  /** Who cannot say offers nothing. */
  async #choices(typed: string, signal: AbortSignal): Promise<readonly MentionChoice[]> {
    const offers = this.#options.sources.map((source) => source.complete?.(typed, signal).catch(() => []) ?? []);
    return (await Promise.all(offers)).flat().slice(0, MOST_CHOICES);
  }

  async #remembered(mention: Mention, look: MentionLook, signal: AbortSignal): Promise<Sought> {
    const { clock } = this.#options;
    const known = this.#known.get(mention.raw);
    if (known !== undefined && clock.monotonic() - known.atMs < KNOWN_MS) return known.found;
    const found = await this.#sought(mention, look, signal);
    for (const [raw, { atMs }] of this.#known) if (clock.monotonic() - atMs >= KNOWN_MS) this.#known.delete(raw);
    this.#known.set(mention.raw, { atMs: clock.monotonic(), found });
    return found;
  }

  /** One after the other: what the first ones take is not there for the others. */
  async #all(mentions: readonly Mention[], signal: AbortSignal): Promise<readonly Sought[]> {
    const mostBytes = this.#room();
    let left = mostBytes * ROOM.together;
    const all: Sought[] = [];
    for (const mention of mentions) {
      const room = Math.min(mostBytes, left);
      const found: Sought =
        room < ROOM.least / 8
          ? { trouble: `${mention.raw} is not attached: there is no room for more` }
          : await this.#sought(mention, { mostBytes: room, whole: true }, signal);
      if ('brought' in found) left -= Buffer.byteLength(found.brought.text);
      all.push(found);
    }
    return all;
  }

  /** The first of its words that there is. */
  async #sought({ words }: Mention, look: MentionLook, signal: AbortSignal): Promise<Sought> {
    for (const word of words) {
      const source = this.#options.sources.find((one) => one.fits(word));
      const found = await source
        ?.find(word, look, signal)
        .then((one) => (look.whole ? this.#withFitPicture(one, signal) : one))
        .catch((thrown: unknown): Found => {
          if (isAbort(thrown)) throw thrown;
          return { refused: asBuddyError(thrown, 'mention.failed').message };
        });
      if (found == null) continue;
      return 'refused' in found ? { trouble: `@${word} is not attached: ${found.refused}` } : { brought: found };
    }
    return { missing: `@${words.at(-1) ?? ''}` };
  }

  /** What others say is a picture may be none, or too large: a server would refuse every later request with it. Rejects as the fitter does. */
  async #withFitPicture(found: Found, signal: AbortSignal): Promise<Found> {
    // Whoever gives a picture and nothing else has made it fit.
    if (found === null || 'refused' in found || found.image === undefined || found.kind === 'image') return found;
    const { image, note } = await this.#options.pictures.fit(Buffer.from(found.image.data, 'base64'), found.image.name, signal);
    const notes = [found.note, note].filter((words) => words !== undefined);
    const bytes = Buffer.byteLength(found.text) + imageBytes(image);
    return { ...found, image, bytes, ...(notes.length === 0 ? {} : { note: notes.join('; ') }) };
  }

  /** Pictures that came with the words themselves. */
  #given(images: readonly ImagePart[], signal: AbortSignal): Promise<readonly Sought[]> {
    return Promise.all(
      images.map(async ({ data, name }): Promise<Sought> => {
        try {
          const { image, note } = await this.#options.pictures.fit(Buffer.from(data, 'base64'), name, signal);
          return {
            brought: { kind: 'image', name, about: {}, text: '', image, bytes: imageBytes(image), ...(note === undefined ? {} : { note }) },
          };
        } catch (thrown) {
          if (isAbort(thrown)) throw thrown;
          return { trouble: `${name} is not attached: ${asBuddyError(thrown, 'image.failed').message}` };
        }
      }),
    );
  }

  #attached(brought: Brought): AttachedText {
    const attached = attachedOf(brought);
    if (brought.image === undefined || this.#options.model().images === true) return attached;
    return { ...attached, note: attached.note === undefined ? NO_IMAGES : `${attached.note}; ${NO_IMAGES}` };
  }

  #room(): number {
    return Math.max(ROOM.least, Math.min(ROOM.most, this.#options.model().contextTokens));
  }

  #tellTroubles(found: readonly Sought[]): void {
    const missing = found.flatMap((one) => ('missing' in one ? [one.missing] : []));
    const others = found.flatMap((one) => ('trouble' in one ? [`${one.trouble}.`] : []));
    const names = missing.length > 4 ? `${missing.slice(0, 3).join(', ')} and ${missing.length - 3} more` : missing.join(', ');
    const absent = missing.length === 0 ? [] : [`Nothing is attached for ${names}: there is no such file or folder.`];
    for (const message of [...absent, ...others]) this.#options.emit({ type: 'warning', message });
  }
}

/** `task.attached` for what came with a message; null when nothing did. */
export function attachedEvent(task: string, { attached = [] }: UserMessage): RuntimeEvent | null {
  return attached.length === 0 ? null : { type: 'task.attached', task, attached: attached.map(withoutText) };
}

/** It is among the words of the message already: only that a stranger wrote it is kept beside them. */
function wordsFrom(name: string, text: string): AttachedText {
  return { kind: 'resource', name, bytes: Buffer.byteLength(text), text: '' };
}

/** What became of one mention. `missing`: there is no such thing, so it is no mention at all. */
type Sought = { readonly brought: Brought } | { readonly trouble: string } | { readonly missing: string };

function tokensOf({ text, bytes, image }: Brought): number {
  return image === undefined ? Math.ceil((bytes ?? Buffer.byteLength(text)) / 4) : imageTokens(image);
}

function withoutText({ text: _, ...attachment }: AttachedText): Attachment {
  return attachment;
}
