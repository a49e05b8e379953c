/** Pictures are looked at and made smaller in a thread of their own, one after the other: each may take half a gigabyte. */

import { join } from 'node:path';
import { abortError, asBuddyError, BuddyError, isAbort } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { PictureWork, WorkedPicture } from '../base/picture-worker.js';
import { runWorker } from '../base/worker.js';
import { checkedPicture, largestPicture, type PictureFitter } from '../runtime/pictures.js';

/** What one picture may take (milliseconds, megabytes of JavaScript's heap; WebAssembly has its own). */
const LIMITS = { timeMs: 30_000, memoryMb: 256 } as const;

/** The one of a run. */
export function pictureFitter(host: Host): PictureFitter {
  const path = join(host.packageDir, 'dist', 'bundle', 'base', 'picture-worker.js');
  let last: Promise<unknown> = Promise.resolve();
  return {
    async fit(bytes, name, signal) {
      const { mediaType, width, height } = checkedPicture(bytes);
      const work: PictureWork = { bytes, mediaType, side: largestPicture.side, mostBytes: largestPicture.bytes };
      const mine = last.then(() => {
        if (signal.aborted) throw abortError();
        return runWorker(path, work, { clock: host.clock, ...LIMITS }, signal);
      });
      last = mine.catch(() => undefined);
      const done = (await mine.catch((thrown: unknown) => {
        throw isAbort(thrown) ? thrown : broken(thrown);
      })) as WorkedPicture;
      const data = Buffer.from(done.bytes).toString('base64');
      const image = { mediaType: done.mediaType, data, name, width: done.width, height: done.height };
      const turned =
        done.width === width && done.height === height ? 'encoded anew' : `${width}×${height} made ${done.width}×${done.height}`;
      return done.isChanged ? { image, note: turned } : { image };
    },
  };
}

/** Whatever the decoder says means the same to a person. */
function broken(thrown: unknown): BuddyError {
  const { code, message } = asBuddyError(thrown, 'image.broken');
  if (code === 'worker.time') return new BuddyError('image.time', `it could not be decoded: ${message}`);
  return new BuddyError('image.broken', 'the picture is broken or cut off: it cannot be decoded', { cause: thrown });
}
