/** From start to the first painted frame, against a bare Node + neo-blessed program; taken in turns, medians. */
import { join } from 'node:path';
import { onPty, privatePlace, quantile, root, round } from './measure.mjs';

const ROUNDS = 9;

async function once(args, pattern) {
  const place = privatePlace();
  const program = await onPty(process.execPath, args, place.env);
  try {
    return (await program.seen(pattern)) - program.startedMs;
  } finally {
    await program.stop();
    place.dispose();
  }
}

export async function measure() {
  const ours = [];
  const bare = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await once([join(root, 'scripts', 'bench', 'hello.mjs')], /hello/));
    // The first frame begins by clearing the screen and ends by showing it.
    ours.push(await once([join(root, 'bin', 'buddy-tui.js')], /\x1b\[2J[\s\S]*\x1b\[\?2026l/));
  }
  const ms = quantile(ours, 0.5);
  return {
    'firstPaint.ms': round(ms),
    'firstPaint.bareMs': round(quantile(bare, 0.5)),
    'firstPaint.ratio': round(ms / quantile(bare, 0.5)),
  };
}
