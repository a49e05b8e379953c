/** Loaded into the program before it starts: its wall clock is off by as many milliseconds as the file named by `?by=` says. */
import { readFileSync, watchFile } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('by');
const RealDate = Date;
let offMs = 0;
function look() {
  try {
    offMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offMs = 0;
  }
}
look();
watchFile(file, { interval: 100, persistent: false }, look);
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offMs);
    else super(...given);
  }
  static now() {
    return RealDate.now() + offMs;
  }
};
