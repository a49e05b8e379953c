/**
 * The worker thread for pictures, and the only importer of photon (WebAssembly): it decodes one, which shows whether it is whole, turns it as
 * its EXIF says and makes it smaller until it fits. It answers with the bytes to send and is ended.
 */

import { parentPort, workerData } from 'node:worker_threads';
import type { PhotonImage } from '@silvia-odwyer/photon-node';
import photon from '@silvia-odwyer/photon-node';
import { exifOrientation } from './exif-orientation.js';

/** What is asked of it. */
export interface PictureWork {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Pixels that a side may have, and bytes that all of it may. */
  readonly side: number;
  readonly mostBytes: number;
}

/** What it answers. */
export interface WorkedPicture {
  /** Those that it was given, when nothing had to be done. */
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
  readonly isChanged: boolean;
}

/** Qualities of JPEG that are tried, and how much smaller the picture becomes when none was enough. */
const QUALITIES = [85, 70, 50] as const;
const SMALLER = 0.7;
/** Nothing can be seen of less. */
const LEAST_SIDE = 64;

function worked({ bytes, mediaType, side, mostBytes }: PictureWork): WorkedPicture {
  const decoded = photon.PhotonImage.new_from_byteslice(bytes);
  const orientation = mediaType === 'image/jpeg' ? exifOrientation(bytes) : 1;
  const [width, height] = [decoded.get_width(), decoded.get_height()];
  if (orientation === 1 && Math.max(width, height) <= side && bytes.length <= mostBytes)
    return { bytes, mediaType: mediaType as WorkedPicture['mediaType'], width, height, isChanged: false };
  let picture = fitted(turned(decoded, orientation), side);
  for (;;) {
    const found = encoded(picture, mediaType, mostBytes);
    if (found !== null) return { ...found, width: picture.get_width(), height: picture.get_height(), isChanged: true };
    const longest = Math.max(picture.get_width(), picture.get_height());
    if (longest * SMALLER < LEAST_SIDE) throw new Error('it cannot be made small enough');
    picture = fitted(picture, Math.floor(longest * SMALLER));
  }
}

/** As PNG, unless it was a photo or would be too large. */
function encoded(picture: PhotonImage, mediaType: string, mostBytes: number): Pick<WorkedPicture, 'bytes' | 'mediaType'> | null {
  if (mediaType !== 'image/jpeg') {
    const bytes = picture.get_bytes();
    if (bytes.length <= mostBytes) return { bytes, mediaType: 'image/png' };
  }
  const opaque = onWhite(picture);
  for (const quality of QUALITIES) {
    const bytes = opaque.get_bytes_jpeg(quality);
    if (bytes.length <= mostBytes) return { bytes, mediaType: 'image/jpeg' };
  }
  return null;
}

/** JPEG knows nothing to see through. */
function onWhite(picture: PhotonImage): PhotonImage {
  const pixels = picture.get_raw_pixels();
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 255;
    if (alpha === 255) continue;
    for (let of = at; of < at + 3; of++) pixels[of] = Math.round(((pixels[of] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
    pixels[at + 3] = 255;
  }
  return new photon.PhotonImage(pixels, picture.get_width(), picture.get_height());
}

/** With no side longer than `side`. */
function fitted(picture: PhotonImage, side: number): PhotonImage {
  const [width, height] = [picture.get_width(), picture.get_height()];
  const scale = side / Math.max(width, height);
  if (scale >= 1) return picture;
  const size = (of: number) => Math.max(1, Math.round(of * scale));
  return photon.resize(picture, size(width), size(height), photon.SamplingFilter.Lanczos3);
}

/** Upright: EXIF counts where row 0 and column 0 of what is stored are seen (1 is top, left; 6 is right, top). */
function turned(picture: PhotonImage, orientation: number): PhotonImage {
  if (orientation === 1) return picture;
  const [width, height] = [picture.get_width(), picture.get_height()];
  const isTurned = orientation >= 5;
  const [cols, rows] = isTurned ? [height, width] : [width, height];
  const from = new Uint32Array(picture.get_raw_pixels().slice().buffer);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < cols; x++) {
      const [across, down] = isTurned ? [y, x] : [x, y];
      const column = [2, 3, 7, 8].includes(orientation) ? width - 1 - across : across;
      const row = [3, 4, 6, 7].includes(orientation) ? height - 1 - down : down;
      to[y * cols + x] = from[row * width + column] ?? 0;
    }
  }
  return new photon.PhotonImage(new Uint8Array(to.buffer), cols, rows);
}

parentPort?.postMessage(worked(workerData as PictureWork));
