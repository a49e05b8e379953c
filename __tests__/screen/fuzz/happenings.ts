/** All that can happen to the screen: keys, bytes, pastes, the mouse, sizes, time, and what the runtime tells. */

import type { RuntimeEvent } from '../../../lib/protocol/events.js';
import type { InputEvent } from '../../../lib/protocol/input.js';
import { keymap } from '../../../lib/view/keymap.js';
import type { Size } from '../../../lib/view/widget.js';
import { keyEvent } from '../../view/support/picture.js';
import { anyText } from './hostile-text.js';
import type { Random } from './random.js';
import { anyEvent } from './runtime-events.js';

export type Happening =
  | { readonly kind: 'event'; readonly event: RuntimeEvent }
  | { readonly kind: 'input'; readonly input: InputEvent }
  /** As a terminal sends them, whole or broken. */
  | { readonly kind: 'bytes'; readonly bytes: string }
  | { readonly kind: 'resize'; readonly size: Size }
  | { readonly kind: 'time'; readonly ms: number }
  /** The frame was seen. */
  | { readonly kind: 'shown' };

const keys = [...new Set(keymap.flatMap((row) => row.keys).flatMap((chord) => chord.split(' ')))];
const letters = [...'aeyns/qk:@! 日', '👩‍👩‍👧', 'e\u0301'].map((letter) => (letter === ' ' ? 'space' : letter));
const pieces = [
  '\x1b',
  '[',
  '\x1b[',
  '\x1bO',
  '1;5A',
  '\x1b[200~',
  '\x1b[201~',
  '\x1b[27;2;13~',
  '\x1b[99;5u',
  'a',
  '日',
  '\x03',
  '\r',
  '\x1b[<0;5;5M',
];
const actions = ['press', 'release', 'drag', 'wheel-up', 'wheel-down'] as const;
const buttons = ['left', 'left', 'left', 'middle', 'right', 'none'] as const;

function anyInput(random: Random, { cols, rows }: Size): InputEvent {
  switch (random.number(12)) {
    case 0:
      return { type: 'paste', text: anyText(random), complete: !random.rarely(5) };
    case 1:
    case 2:
      return {
        type: 'mouse',
        action: random.one(actions),
        button: random.one(buttons),
        x: random.number(cols + 2),
        y: random.number(rows + 2),
      };
    case 3:
      return { type: 'focus', gained: random.rarely(2) };
    case 4:
      return { type: 'reply', bytes: random.one(['\x1b[?1;2c', '\x1b]11;rgb:ffff/ffff/ffff\x1b\\', '\x1b[24;80R']) };
    case 5:
    case 6:
      return keyEvent(random.one(letters));
    case 7:
      // Typed letter by letter no list of that name would ever be opened.
      return { type: 'paste', text: random.rarely(3) ? '/settings' : anyText(random), complete: true };
    default:
      return keyEvent(random.one(keys));
  }
}

function anySize(random: Random): Size {
  if (random.rarely(12))
    return random.one([
      { cols: 1, rows: 1 },
      { cols: 500, rows: 200 },
      { cols: 40, rows: 10 },
      { cols: 39, rows: 9 },
      { cols: 3, rows: 70 },
    ]);
  return { cols: 1 + random.number(180), rows: 1 + random.number(55) };
}

/** What happens next. */
export function nextHappening(random: Random, size: Size, nowMs: number): Happening {
  const kind = random.number(20);
  if (kind < 8) return { kind: 'event', event: anyEvent(random, nowMs) };
  if (kind < 16) return { kind: 'input', input: anyInput(random, size) };
  if (kind === 16) return { kind: 'bytes', bytes: Array.from({ length: 1 + random.number(5) }, () => random.one(pieces)).join('') };
  if (kind === 17) return random.rarely(2) ? { kind: 'resize', size: anySize(random) } : { kind: 'resize', size: { cols: 100, rows: 30 } };
  return kind === 18 ? { kind: 'time', ms: random.one([10, 500, 3000]) } : { kind: 'shown' };
}
