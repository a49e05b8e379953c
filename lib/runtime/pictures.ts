/** Pictures made fit to be sent: the door of what does it, in a thread of its own. */

import { formatBytes } from '../base/duration.js';
import { asBuddyError, BuddyError, isAbort } from '../base/errors.js';
import { imageHeader } from '../base/image-header.js';
import type { ImagePart, ToolMessage } from '../protocol/messages.js';

/** One that can be sent. */
export interface FittedPicture {
  readonly image: ImagePart;
  /** What was done to it, in a few words; left out: nothing. */
  readonly note?: string;
}

export interface PictureFitter {
  /** Rejects with `image.*` when it is none, is broken or would take too much, in a sentence; or with an AbortError. */
  fit(bytes: Uint8Array, name: string, signal: AbortSignal): Promise<FittedPicture>;
}

/** Decoding takes four bytes a pixel: a file of a few kilobytes can stand for gigabytes. */
const MOST_PIXELS = 60_000_000;

/** What `bytes` say that they are. Throws `image.format`, `image.size`; nothing is decoded. */
export function checkedPicture(bytes: Uint8Array): {
  readonly mediaType: ImagePart['mediaType'];
  readonly width: number;
  readonly height: number;
} {
  const header = imageHeader(bytes);
  if (header === null) throw new BuddyError('image.format', 'it is no PNG, JPEG, GIF or WebP');
  const { mediaType, kind, size } = header;
  if (size === null || size.width === 0 || size.height === 0) throw new BuddyError('image.format', `it is a broken ${kind} picture`);
  const { width, height } = size;
  if (width * height > MOST_PIXELS)
    throw new BuddyError('image.size', `it has ${width} × ${height} pixels; the most is ${MOST_PIXELS / 1_000_000} million`);
  return { mediaType, width, height };
}

/** A picture may have so many bytes: 4 MB as base64, which all servers take; and so many pixels a side. */
export const largestPicture = { bytes: 3_000_000, side: 2000 } as const;

/** What makes pictures fit; when nothing does they go as they are, and one that is too large is refused. */
export function picturesOf({ pictures }: { readonly pictures?: PictureFitter | undefined }): PictureFitter {
  if (pictures !== undefined) return pictures;
  const mostBytes = largestPicture.bytes;
  return {
    fit(bytes, name) {
      const about = checkedPicture(bytes);
      if (bytes.length > mostBytes)
        throw new BuddyError('image.size', `it has ${formatBytes(bytes.length)}; the most is ${formatBytes(mostBytes)}`);
      return Promise.resolve({ image: { ...about, data: Buffer.from(bytes).toString('base64'), name } });
    },
  };
}

/** Results with their pictures made fit; one that cannot be becomes a line of text. Never rejects. */
export function withFitPictures(
  results: readonly ToolMessage[],
  pictures: PictureFitter,
  signal: AbortSignal,
): Promise<readonly ToolMessage[]> {
  return Promise.all(results.map((result) => (result.images === undefined ? result : fitResult(result, result.images, pictures, signal))));
}

async function fitResult(
  { images: _, ...result }: ToolMessage,
  images: readonly ImagePart[],
  pictures: PictureFitter,
  signal: AbortSignal,
): Promise<ToolMessage> {
  const fit: ImagePart[] = [];
  const lines: string[] = [];
  for (const { data, name } of images) {
    try {
      fit.push((await pictures.fit(Buffer.from(data, 'base64'), name, signal)).image);
    } catch (thrown) {
      // Interrupted: the result counts all the same, and what is not known to be sound is not sent.
      lines.push(`[image ${name}: not shown, ${isAbort(thrown) ? 'interrupted' : asBuddyError(thrown, 'image.failed').message}]`);
    }
  }
  const text = [result.text, ...lines].join('\n');
  return fit.length === 0 ? { ...result, text } : { ...result, text, images: fit };
}
