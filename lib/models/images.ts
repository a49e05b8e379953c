/** Pictures as a server takes them: those that it would refuse become a line of text, so that one of them does not spoil every later request. */

import { formatBytes } from '../base/duration.js';
import type { ModelProfile } from '../config/profiles.js';
import { type ImagePart, imageBytes, type Message } from '../protocol/messages.js';
import { dialectOf } from './dialects.js';

/** What a server takes. */
export interface ImageLimits {
  /** In one request; of more the newest count. */
  readonly most: number;
  /** Characters of base64 of one. */
  readonly characters: number;
  /** Of all in one request; of more the newest count. */
  readonly together: number;
}

/** The limits of the server of `profile`; no picture at all when its model takes none. */
export function imageLimits(profile: ModelProfile, takesImages: boolean): ImageLimits {
  return takesImages ? dialectOf(profile).images : { most: 0, characters: 0, together: 0 };
}

/** `messages` with the pictures that are sent; in the place of each other one there is a line in the text. The same list when there is none. */
export function withSendableImages(messages: readonly Message[], limits: ImageLimits): readonly Message[] {
  const all = messages.flatMap(imagesOf);
  if (all.length === 0) return messages;
  const older = olderThan(all, limits);
  let at = 0;
  return messages.map((message) => {
    const images = imagesOf(message);
    if (message.role === 'assistant' || images.length === 0) return message;
    const kept: ImagePart[] = [];
    const lines: string[] = [];
    for (const image of images) {
      const isOlder = at++ < older;
      const reason = limits.most === 0 ? 'this model takes no images' : isOlder ? 'there are newer ones' : tooLarge(image, limits);
      if (reason === null) kept.push(image);
      else lines.push(`[image ${image.name}, ${formatBytes(imageBytes(image))}: not shown, ${reason}]`);
    }
    if (lines.length === 0) return message;
    const { images: _, ...rest } = message;
    const text = [message.text, ...lines].join('\n');
    return kept.length === 0 ? { ...rest, text } : { ...rest, text, images: kept };
  });
}

/** How many of the first there is no room for behind the newest. */
function olderThan(images: readonly ImagePart[], limits: ImageLimits): number {
  let left = limits.together;
  const last = images.findLastIndex((image) => {
    if (tooLarge(image, limits) === null) left -= image.data.length;
    return left < 0;
  });
  return Math.max(last + 1, images.length - limits.most);
}

/** As an address that holds the picture itself (RFC 2397). */
export function dataUrl({ mediaType, data }: ImagePart): string {
  return `data:${mediaType};base64,${data}`;
}

function imagesOf(message: Message): readonly ImagePart[] {
  return message.role === 'assistant' ? [] : (message.images ?? []);
}

function tooLarge({ data }: ImagePart, { characters }: ImageLimits): string | null {
  return data.length > characters ? 'it is too large' : null;
}
