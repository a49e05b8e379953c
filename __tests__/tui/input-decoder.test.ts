import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import type { Clock } from '../../lib/base/clock.js';
import type { InputEvent } from '../../lib/protocol/input.js';
import {
  createInputDecoder,
  decode,
  ESCAPE_TIMEOUT_MS,
  expire,
  freshDecoder,
  PASTE_TIMEOUT_MS,
  SEQUENCE_TIMEOUT_MS,
  waiting,
} from '../../lib/tui/input-decoder.js';
import { FakeClock } from '../support/fake-clock.js';

/** One event in a few letters: `key`, `"typed"`, `paste(…)`, `left press 3,4`. */
function words(event: InputEvent): string {
  switch (event.type) {
    case 'key':
      return event.text === '' ? event.key : `${event.key}=${JSON.stringify(event.text)}`;
    case 'paste':
      return `paste${event.complete ? '' : '-cut'}(${JSON.stringify(event.text)})`;
    case 'mouse':
      return `${event.button} ${event.action} ${event.x},${event.y}`;
    case 'focus':
      return event.gained ? 'focus' : 'blur';
    case 'reply':
      return `reply(${JSON.stringify(event.bytes)})`;
  }
}

/** Everything that comes of `pieces`, what time-outs decide included. */
function decoded(...pieces: readonly (string | Uint8Array)[]): InputEvent[] {
  const events: InputEvent[] = [];
  let state = freshDecoder;
  for (const piece of pieces) {
    const step = decode(state, typeof piece === 'string' ? Buffer.from(piece) : piece);
    state = step.state;
    events.push(...step.events);
  }
  if (waiting(state) !== 'nothing') events.push(...expire(state).events);
  return events;
}

function said(...pieces: readonly (string | Uint8Array)[]): string {
  return decoded(...pieces)
    .map(words)
    .join(' ');
}

const table: readonly (readonly [name: string, bytes: string, events: string])[] = [
  ['Enter', '\r', 'enter'],
  ['Ctrl+J', '\n', 'C-j'],
  ['Alt+Enter', '\x1b\r', 'M-enter'],
  ['Shift+Enter, Kitty', '\x1b[13;2u', 'S-enter'],
  ['Shift+Enter, modifyOtherKeys', '\x1b[27;2;13~', 'S-enter'],
  ['Ctrl+Enter', '\x1b[13;5u', 'C-enter'],
  ['Escape', '\x1b', 'escape'],
  ['Escape, Kitty', '\x1b[27u', 'escape'],
  ['Escape twice', '\x1b\x1b', 'escape escape'],
  ['Alt+a', '\x1ba', 'M-a'],
  ['Alt+A', '\x1bA', 'M-A'],
  ['Alt+é', '\x1bé', 'M-é'],
  ['Alt+. /', '\x1b.\x1b/', 'M-. M-/'],
  ['Alt+[', '\x1b[', 'M-['],
  ['Alt+O', '\x1bO', 'M-O'],
  ['Alt+]', '\x1b]', 'M-]'],
  ['Alt+P', '\x1bP', 'M-P'],
  ['Alt+Backspace', '\x1b\x7f', 'M-backspace'],
  ['Alt+Space', '\x1b ', 'M-space'],
  ['Alt+Ctrl+x', '\x1b\x18', 'C-M-x'],
  ['arrows', '\x1b[A\x1b[B\x1b[C\x1b[D', 'up down right left'],
  ['arrows, application mode', '\x1bOA\x1bOB\x1bOC\x1bOD', 'up down right left'],
  ['Ctrl, Alt, Shift arrows', '\x1b[1;5A\x1b[1;3D\x1b[1;2C\x1b[1;6D', 'C-up M-left S-right C-S-left'],
  ['Alt+Up, rxvt', '\x1b\x1b[A', 'M-up'],
  ['Ctrl+Up, rxvt', '\x1bOa', 'C-up'],
  ['Shift+Up, rxvt', '\x1b[a', 'S-up'],
  ['Home End', '\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~\x1bOH', 'home end home end home end home'],
  ['Insert Delete PageUp PageDown', '\x1b[2~\x1b[3~\x1b[5~\x1b[6~', 'insert delete pageup pagedown'],
  ['Ctrl+Delete', '\x1b[3;5~', 'C-delete'],
  ['F1 to F4', '\x1bOP\x1bOQ\x1b[R\x1b[14~', 'f1 f2 f3 f4'],
  ['F1, Linux console', '\x1b[[A\x1b[[E', 'f1 f5'],
  ['F3 with modifiers', '\x1b[1;5R', 'C-f3'],
  ['F5 to F12', '\x1b[15~\x1b[17~\x1b[18~\x1b[19~\x1b[20~\x1b[21~\x1b[23~\x1b[24;2~', 'f5 f6 f7 f8 f9 f10 f11 S-f12'],
  ['Shift+Tab', '\x1b[Z', 'S-tab'],
  ['Tab', '\t', 'tab'],
  ['Backspace', '\x7f\b', 'backspace backspace'],
  ['Ctrl keys', '\x00\x01\x1a\x1c\x1d\x1e\x1f', 'C-space C-a C-z C-\\ C-] C-^ C-_'],
  ['Ctrl+c, Kitty', '\x1b[99;5u', 'C-c'],
  ['Ctrl+Shift+c', '\x1b[99;6u\x1b[27;6;67~', 'C-C C-C'],
  ['Ctrl+i is no Tab', '\x1b[27;5;105~', 'C-i'],
  ['a with Num Lock', '\x1b[97;129u', 'a="a"'],
  ['Shift+a', '\x1b[97;2u', 'A="A"'],
  ['Shift+1 with its character', '\x1b[49:33;2u', '!="!"'],
  ['Ctrl+Shift+c with its alternatives, Kitty', '\x1b[99:67;6u', 'C-C'],
  ['Ctrl+c on a Cyrillic keyboard, Kitty', '\x1b[1089::99;5u', 'C-c'],
  ['Alt+Shift+b on a Greek one', '\x1b[946:914:98;4u', 'M-B'],
  ['a Cyrillic letter by itself', '\x1b[1089::99;1u', 'с="с"'],
  ['Alt+ö keeps its letter', '\x1b[246:214:59;3u', 'M-ö'],
  ['Super+q is not for us', '\x1b[113;9u', ''],
  ['a key going up', '\x1b[97;1:3u\x1b[1;1:3A', ''],
  ['keypad', '\x1bOM\x1bOk\x1bOq\x1b[57400u', 'enter +="+" 1="1" 1="1"'],
  ['letters', 'aB c', 'a="a" B="B" space=" " c="c"'],
  ['é 日 🚀', 'é日🚀', 'é="é" 日="日" 🚀="🚀"'],
  ['a family is one key', '👨‍👩‍👧', '👨‍👩‍👧="👨‍👩‍👧"'],
  ['a combining mark goes with its letter', 'e\u0301x', 'e\u0301="e\u0301" x="x"'],
  ['C1 types nothing', 'a\u009bb', 'a="a" b="b"'],
  ['wheel', '\x1b[<64;10;5M\x1b[<65;10;5M\x1b[<65;10;5M', 'none wheel-up 9,4 none wheel-down 9,4 none wheel-down 9,4'],
  ['wheel to the side', '\x1b[<66;10;5M', ''],
  ['click', '\x1b[<0;1;1M\x1b[<0;1;1m', 'left press 0,0 left release 0,0'],
  ['right click in column 250', '\x1b[<2;250;5M', 'right press 249,4'],
  ['drag, then moving with nothing held', '\x1b[<32;11;5M\x1b[<35;12;5M', 'left drag 10,4'],
  ['click with Ctrl', '\x1b[<16;2;3M', 'left press 1,2'],
  ['click, X10', '\x1b[M *%\x1b[M#*%', 'left press 9,4 none release 9,4'],
  ['mouse and keys together', 'a\x1b[<65;10;5Mb', 'a="a" none wheel-down 9,4 b="b"'],
  ['what looks like a mouse without ESC', 'x[<0;1;1M', 'x="x" [="[" <="<" 0="0" ;=";" 1="1" ;=";" 1="1" M="M"'],
  ['focus', '\x1b[I\x1b[Oa', 'focus blur a="a"'],
  ['paste', '\x1b[200~hello\r\nwor\tld\rx\x1b[201~y', 'paste("hello\\nwor\\tld\\nx") y="y"'],
  ['empty paste', '\x1b[200~\x1b[201~', 'paste("")'],
  ['keys in a paste', '\x1b[200~a\x1b[Ab\x03\x1b[200~\x1b\x1b[201~', 'paste("a\\u001b[Ab\\u0003\\u001b[200~\\u001b")'],
  ['a stray end mark', '\x1b[201~a', 'a="a"'],
  ['DA1', '\x1b[?62;22ca', 'reply("\\u001b[?62;22c") a="a"'],
  ['DA2', '\x1b[>84;0;0c', 'reply("\\u001b[>84;0;0c")'],
  ['OSC 11, ST', '\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\a', 'reply("\\u001b]11;rgb:1e1e/1e1e/1e1e\\u001b\\\\") a="a"'],
  ['OSC 11, BEL', '\x1b]11;rgb:0/0/0\x07a', 'reply("\\u001b]11;rgb:0/0/0\\u0007") a="a"'],
  ['DECRPM', '\x1b[?2026;2$y', 'reply("\\u001b[?2026;2$y")'],
  ['cursor report', '\x1b[12;30R', 'reply("\\u001b[12;30R")'],
  ['Kitty flags', '\x1b[?1u', 'reply("\\u001b[?1u")'],
  ['XTVERSION', '\x1bP>|tmux 3.3a\x1b\\a', 'reply("\\u001bP>|tmux 3.3a\\u001b\\\\") a="a"'],
  ['window size report', '\x1b[8;24;80t', 'reply("\\u001b[8;24;80t")'],
  ['a broken sequence', '\x1b[1;\ra', 'enter a="a"'],
  ['an unknown sequence', '\x1b[5;5Xa', 'a="a"'],
  ['half a sequence that never ends', '\x1b[1;5', 'reply("\\u001b[1;5")'],
  ['a reply that never ends', '\x1b]11;rgb:', 'reply("\\u001b]11;rgb:")'],
  ['a reply broken off', '\x1b]11;rgb:\x1b[A', 'reply("\\u001b]11;rgb:") up'],
];

/** Typed characters joined: a cluster may come in two pieces when the bytes did. */
function joined(events: readonly InputEvent[]): string {
  return events.map((event) => (event.type === 'key' && event.text !== '' ? event.text : `<${words(event)}>`)).join('');
}

describe('what the keyboard sends', () => {
  test.each(table)('%s', (_name, bytes, events) => {
    expect(said(bytes)).toBe(events);
  });

  test.each(table)('%s, cut in two at every byte', (_name, bytes) => {
    const whole = joined(decoded(bytes));
    const raw = Buffer.from(bytes);
    for (let at = 1; at < raw.length; at += 1) expect(joined(decoded(raw.subarray(0, at), raw.subarray(at)))).toBe(whole);
  });

  test('any stream cut anywhere gives the same', () => {
    const pieces = fc.oneof(fc.constantFrom(...table.map((row) => row[1])), fc.string({ unit: 'binary', maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (parts, cuts) => {
        const raw = Buffer.from(parts.join(''));
        const places = [...new Set(cuts.filter((cut) => cut < raw.length))].sort((a, b) => a - b);
        const chunks = [0, ...places].map((from, index) => raw.subarray(from, places[index] ?? raw.length));
        expect(joined(decoded(...chunks))).toBe(joined(decoded(raw)));
      }),
      { numRuns: 300, seed: 20_260_301 },
    );
  });

  test('any bytes whatever are survived, and no key types a control character', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        for (const event of decoded(bytes)) if (event.type === 'key') expect(event.text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
      { numRuns: 500, seed: 20_260_301 },
    );
  });

  test('a paste of 1 MB in small pieces is one event with every byte', () => {
    const text = 'déjà vu 🚀 '.repeat(75_000);
    const raw = Buffer.from(`\x1b[200~${text}\x1b[201~`);
    expect(raw.length).toBeGreaterThan(1_000_000);
    const chunks: Buffer[] = [];
    for (let at = 0; at < raw.length; at += 1021) chunks.push(raw.subarray(at, at + 1021));
    const events = decoded(...chunks);
    expect(events).toHaveLength(1);
    expect(events[0]?.type === 'paste' && events[0].text === text && events[0].complete).toBe(true);
  });
});

describe('time-outs', () => {
  function listening() {
    const clock = new FakeClock();
    const events: string[] = [];
    const decoder = createInputDecoder(clock, (event) => events.push(words(event)));
    return { clock, events, feed: (text: string) => decoder.feed(Buffer.from(text)), decoder };
  }

  test('a process that was busy reads what has come meanwhile before it gives a sequence up', () => {
    const timers = new Set<() => void>();
    const fire = () => {
      const [run] = timers;
      if (run !== undefined) timers.delete(run);
      run?.();
    };
    let nowMs = 0;
    const busy: Clock = {
      now: () => nowMs,
      monotonic: () => nowMs,
      after(_ms, run) {
        timers.add(run);
        return { dispose: () => void timers.delete(run) };
      },
      every: () => ({ dispose: () => undefined }),
    };
    const events: string[] = [];
    const decoder = createInputDecoder(busy, (event) => events.push(words(event)));
    decoder.feed(Buffer.from('\x1b[2'));
    nowMs = 3000;
    fire();
    decoder.feed(Buffer.from('00~LPT2\x1b[201~'));
    expect(events).toEqual(['paste("LPT2")']);
    // Nothing more comes: it is given up after all.
    decoder.feed(Buffer.from('\x1b'));
    nowMs = 9000;
    fire();
    expect(events).toHaveLength(1);
    fire();
    expect(events.at(-1)).toBe('escape');
  });

  test('Escape is a key when nothing follows, the beginning of one when it does', async () => {
    const { clock, events, feed } = listening();
    feed('\x1b');
    await clock.advance(ESCAPE_TIMEOUT_MS - 1);
    expect(events).toEqual([]);
    feed('[A');
    expect(events).toEqual(['up']);
    feed('\x1b');
    await clock.advance(ESCAPE_TIMEOUT_MS);
    expect(events).toEqual(['up', 'escape']);
    feed('[A');
    expect(events.slice(2)).toEqual(['[="["', 'A="A"']);
  });

  test('the rest of a reply may come late and is not typed', async () => {
    const { clock, events, feed } = listening();
    feed('\x1b]11;rgb:');
    await clock.advance(SEQUENCE_TIMEOUT_MS - 1);
    feed('0/0/0\x07');
    expect(events).toEqual(['reply("\\u001b]11;rgb:0/0/0\\u0007")']);
  });

  test('a paste whose end mark is lost is handed over, and keys work again', async () => {
    const { clock, events, feed } = listening();
    feed('\x1b[200~rm -rf\rx');
    await clock.advance(PASTE_TIMEOUT_MS);
    expect(events).toEqual(['paste-cut("rm -rf\\nx")']);
    feed('q');
    expect(events.slice(1)).toEqual(['q="q"']);
    expect(clock.pending).toBe(0);
  });

  test('what comes late of a stalled paste does not become keys', async () => {
    const { clock, events, feed } = listening();
    feed('\x1b[200~one\r');
    await clock.advance(PASTE_TIMEOUT_MS);
    feed(`${'more\r'.repeat(20)}`);
    feed('end\r\x1b[201~');
    expect(events).toEqual(['paste-cut("one\\n")', `paste(${JSON.stringify(`${'more\n'.repeat(20)}end\n`)})`]);
    feed('\r');
    expect(events.at(-1)).toBe('enter');
  });

  test('disposed, it says nothing more', async () => {
    const { clock, events, feed, decoder } = listening();
    feed('\x1b');
    decoder.dispose();
    await clock.advance(1000);
    expect(events).toEqual([]);
  });
});
