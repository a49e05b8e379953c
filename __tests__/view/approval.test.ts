/** Questions: what counts as an answer, and what never does. */

import fc from 'fast-check';
import type { ApprovalRequest } from '../../lib/protocol/approvals.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput } from '../../lib/view/app.js';
import { bodyView, unseenReason } from '../../lib/view/approval.js';
import { compose } from '../../lib/view/compose.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { inside } from '../../lib/view/layout.js';
import { reduce } from '../../lib/view/reducer.js';
import { screenLayout } from '../../lib/view/screen.js';
import type { State } from '../../lib/view/state.js';
import { approvalTitle } from '../../lib/view/widgets/approval.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

function request(id: string, body: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id,
    task: '1',
    call: `c-${id}`,
    tool: 'run_shell',
    title: 'run in pane %1',
    body,
    target: 'web-01 (ssh)',
    cwd: '/srv',
    claim: null,
    ...more,
  };
}

const asked = (...requests: readonly ApprovalRequest[]): readonly RuntimeEvent[] =>
  requests.map((one) => ({ type: 'approval.requested', request: one }));

/** The frame of `state` was written at `nowMs`. */
const shown = (state: State, nowMs: number): State => reduce(state, { type: 'shown', nowMs });

const answer = (approval: string, decision: string) => ({ type: 'send', command: { type: 'approval.answer', approval, decision } });

function open(body: string, cols = 100, rows = 30): State {
  return stateAfter(cols, rows, [startedEvent(), ...asked(request('a', body))]);
}

const LATER = START_MS + 400;

test('the whole command is on the screen, with where it would run and what the model says of it', () => {
  const claim = { risk: 'high', mutation: true, privesc: true, why: 'free space' } as const;
  const state = stateAfter(80, 24, [startedEvent(), ...asked(request('a', 'sudo journalctl --vacuum-size=500M', { claim }))]);
  const lines = seen(state).split('\n');
  expect(lines.slice(15, 22)).toEqual([
    `└${'─'.repeat(78)}┘`,
    '┌─ approve on web-01 (ssh) · /srv ─────────────────────────────────────────────┐',
    '│run_shell  run in pane %1                                    1 line · 34 bytes│',
    '│  sudo journalctl --vacuum-size=500M                                          │',
    '│the model says: high risk, changes things, as root: “free space”              │',
    '│[y] once  [s] session  [p] rule  [e] edit  [n] no  [f] no, why  [x] larger    │',
    '└──────────────────────────────────────────────────────────────────────────────┘',
  ]);
});

test.each(['local', 'ssh', 'container'] as const)('an act %s has its target in a look of its own, beside who would do it there', (kind) => {
  const where = { kind, host: 'web-01', user: 'root' };
  const state = stateAfter(80, 24, [startedEvent(), ...asked(request('a', 'uptime', { where }))]);
  const [approve, target, rest] = approvalTitle(state);
  expect([approve?.text, target?.text, rest?.text]).toEqual(['approve on ', 'web-01 (ssh)', ' · root@web-01 · /srv']);
  expect(target?.style).toBe(state.theme.styles[`target_${kind}`]);
  const narrow = stateAfter(40, 24, [startedEvent(), ...asked(request('a', 'uptime', { where, cwd: '/a' }))]);
  expect(approvalTitle(narrow)[2]?.text).toBe(' · root · /a');
});

test.each([
  ['y', 'once'],
  ['s', 'session'],
  ['n', 'deny'],
  ['escape', 'deny'],
])('%s answers once, 400 ms after it was on the screen', (key, decision) => {
  const { state, effects } = press(shown(open('ls'), START_MS), LATER, key, key, key);
  expect(effects.filter((effect) => effect.type === 'send')).toEqual([answer('a', decision)]);
  expect(state.approvals).toEqual([]);
});

test('a key before 400 ms is no answer, and begins the wait anew', () => {
  const early = press(shown(open('ls'), START_MS), START_MS + 399, 'y', 'n', 's');
  expect(early.effects).toEqual([]);
  expect(press(early.state, START_MS + 500, 'y').effects).toEqual([]);
  expect(press(early.state, START_MS + 799, 'y').effects).toEqual([answer('a', 'once')]);
});

test('Escape is no at once: stopping never waits', () => {
  expect(press(shown(open('ls'), START_MS), START_MS + 10, 'escape').effects).toEqual([answer('a', 'deny')]);
});

test('a question that was never on the screen cannot be answered', () => {
  expect(press(open('ls'), START_MS + 60_000, 'y', 's', 'n').effects).toEqual([]);
});

test('a window too small to show it takes no yes', () => {
  const small = shown(open('ls', 30, 8), START_MS);
  expect(seen(small)).toContain('A question waits.');
  expect(press(small, LATER, 'y').effects).toEqual([]);
  expect(press(small, LATER, 'n').effects).toEqual([answer('a', 'deny')]);
});

test('under help it has not been seen', () => {
  const helped = shown(press(following(stateAfter(100, 30, [startedEvent()])), START_MS, '?').state, START_MS);
  const covered = shown(following(helped, ...asked(request('a', 'ls'))), START_MS);
  const closed = press(covered, LATER, 'escape').state;
  expect(press(closed, LATER, 'y').effects).toEqual([]);
  expect(press(shown(closed, LATER), LATER + 400, 'y').effects).toEqual([answer('a', 'once')]);
});

test('whoever is writing goes on writing: typed letters are no answers until there is a pause', () => {
  let state = shown(following(press(stateAfter(100, 30, [startedEvent()]), START_MS, 'o').state, ...asked(request('a', 'ls'))), START_MS);
  for (const [i, letter] of [...'ny yes'].entries()) {
    const step = press(state, START_MS + 100 * (i + 1), letter === ' ' ? 'space' : letter);
    expect(step.effects).toEqual([]);
    state = step.state;
  }
  expect(draftOf(state.editor)).toBe('ony yes');
});

test('Enter and pastes never answer', () => {
  const state = shown(open('ls'), START_MS);
  expect(press(state, LATER, 'enter', 'enter').effects).toEqual([]);
  const pasted = handleInput(state, { type: 'paste', text: 'y', complete: true }, LATER);
  expect(pasted.effects).toEqual([]);
  expect(draftOf(pasted.state.editor)).toBe('y');
});

describe('a command that does not fit', () => {
  const body = Array.from({ length: 60 }, (_, i) => `echo line ${i}`).join('\n');

  test('takes no yes before its end was on the screen, and says why', () => {
    const state = shown(open(body), START_MS);
    const early = press(state, LATER, 'y', 's');
    expect(early.effects).toEqual([]);
    expect(seen(early.state)).toContain('y: scroll to its end (PgDn)');
    expect(seen(early.state)).toContain('rows 1–');
  });

  test('takes a yes after every page was shown', () => {
    let state = shown(open(body), START_MS);
    const read = new Set<string>();
    for (let i = 0; i < 20; i++) {
      for (const [line] of seen(state).matchAll(/echo line \d+/g)) read.add(line);
      state = shown(press(state, LATER, 'pagedown').state, LATER);
    }
    expect(read.size).toBe(60);
    expect(press(state, LATER, 'y').effects).toEqual([answer('a', 'once')]);
  });

  test('keys that come faster than frames skip nothing', () => {
    const page = Array<string>(20).fill('pagedown');
    let state = shown(open(body), START_MS);
    let frames = 0;
    for (; unseenReason(state) !== null && frames < 100; frames++) state = shown(press(state, LATER, ...page).state, LATER);
    expect(frames).toBeGreaterThan(3);
    expect(frames).toBeLessThan(12);
    expect(press(shown(press(shown(open(body), START_MS), LATER, ...page).state, LATER), LATER, 'y').effects).toEqual([]);
  });

  test('a no needs no reading', () => {
    expect(press(shown(open(body), START_MS), LATER, 'n').effects).toEqual([answer('a', 'deny')]);
  });

  test('x gives it the whole height', () => {
    const rows = (state: State) => [...seen(state).matchAll(/echo line/g)].length;
    const state = open(body);
    expect(rows(press(shown(state, START_MS), LATER, 'x').state)).toBeGreaterThan(rows(state));
  });

  test('the wheel scrolls it', () => {
    const state = shown(open(body), START_MS);
    const y = seen(state)
      .split('\n')
      .findIndex((line) => line.includes('echo line 3'));
    const step = handleInput(state, { type: 'mouse', action: 'wheel-down', button: 'none', x: 5, y }, LATER);
    expect(seen(step.state)).toContain('rows 4–');
  });
});

test('several are counted and answered one by one, each seen and armed by itself', () => {
  const state = stateAfter(100, 30, [startedEvent(), ...asked(request('a', 'ls'), request('b', 'df'), request('c', 'id'))]);
  expect(seen(state)).toContain('1 of 3');
  const first = press(shown(state, START_MS), LATER, 'y', 'y', 'y');
  expect(first.effects).toEqual([answer('a', 'once')]);
  const second = press(shown(first.state, LATER + 400), LATER + 800, 'n');
  expect(second.effects).toEqual([answer('b', 'deny')]);
  expect(seen(second.state)).toContain('  id ');
});

test('one that is resolved elsewhere goes away and the next begins anew', () => {
  const state = shown(stateAfter(100, 30, [startedEvent(), ...asked(request('a', 'ls'), request('b', 'df'))]), START_MS);
  const next = following(state, { type: 'approval.resolved', approval: 'a', decision: 'deny', by: 'cancel' });
  const unseen = { shownAtMs: null, quietSinceMs: 0, top: 0, seen: 0, measure: '', read: false };
  expect(next.approval).toEqual({ id: 'b', ...unseen, expanded: false, whole: false });
});

test('Ctrl+C still cancels while something is asked', () => {
  const busy = following(shown(open('ls'), START_MS), { type: 'task.started', task: '1', kind: 'prompt', text: 'x', pane: null });
  expect(press(busy, LATER, 'C-c').effects).toEqual([{ type: 'send', command: { type: 'task.cancel', task: '1' } }]);
});

test('read page by page from the screen, the command is there byte for byte', () => {
  const part = fc.constantFrom(
    'echo',
    ' ',
    ' '.repeat(30),
    '\n',
    '\n'.repeat(9),
    '\t',
    'é日本',
    '👩‍👩‍👧',
    '"$HOME"',
    'x'.repeat(130),
    '⟨9 blanks⟩',
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 60 }), fc.integer({ min: 40, max: 90 }), (parts, cols) => {
      const body = parts.join('');
      let state = shown(open(body, cols, 24), START_MS);
      const pages = new Map<number, string>();
      for (let i = 0; i < 60; i++) {
        const top = bodyView(state)?.top ?? 0;
        for (const [n, text] of bodyTexts(state).entries()) pages.set(top + n, text);
        state = shown(press(state, LATER, 'pagedown').state, LATER);
      }
      const read = [...pages.keys()].sort((a, b) => a - b).map((row) => pages.get(row));
      expect(read.join('').slice(1)).toBe(body);
      expect(press(state, LATER, 'y').effects).toEqual([answer('a', 'once')]);
    }),
    { numRuns: 40, seed: 2026 },
  );
});

/** The rows of the command in the picture, each as what it says: markers by their look, a line end before what is not a wrapped row. */
function bodyTexts(state: State): readonly string[] {
  const inner = inside(screenLayout(state).approval ?? { x: 0, y: 0, cols: 0, rows: 0 });
  const part = compose(state, state.theme).parts.findLast(
    ({ rect }) => rect.x === inner.x && rect.y === inner.y && rect.cols === inner.cols,
  );
  return (part?.rows ?? []).slice(1, -1).map((row) => {
    const [gutter, ...segments] = row.segments;
    const text = segments
      .map((segment) => (segment.style === state.theme.styles.approval_marker ? meant(segment.text) : segment.text))
      .join('');
    return (gutter?.text === '↪ ' ? '' : '\n') + text;
  });
}

function meant(marker: string): string {
  const code = /^<U\+([0-9A-F]+)>$/.exec(marker)?.[1];
  if (code !== undefined) return String.fromCodePoint(parseInt(code, 16));
  const count = Number(/\d+/.exec(marker)?.[0] ?? 1);
  if (marker === '⇥') return '\t';
  return marker.includes('lines') ? '\n'.repeat(count - 1) : ' '.repeat(count);
}

describe('an answer in words', () => {
  const editable = (body: string) =>
    stateAfter(100, 30, [startedEvent(), ...asked(request('a', body, { editable: true }), request('b', 'second', { editable: true }))]);
  const armed = (state: State) => press(shown(state, START_MS), LATER);
  const sentAt = LATER + 400;

  test('f: no, because: the reason goes to the model, and the draft that waited is back', () => {
    const drafted = press(stateAfter(100, 30, [startedEvent()]), START_MS, ...'my draft').state;
    const begun = press(shown(following(drafted, ...asked(request('a', 'rm x'))), START_MS), LATER, 'f');
    expect(seen(begun.state)).toContain('no, because: write it below');
    const sent = press(press(begun.state, LATER, ...'use mv').state, sentAt, 'enter');
    expect(sent.effects).toEqual([
      { type: 'send', command: { type: 'approval.answer', approval: 'a', decision: 'deny', feedback: 'use mv' } },
    ]);
    expect(draftOf(sent.state.editor)).toBe('my draft');
  });

  test('e: the command as it should be runs once; the next question is in front, unanswered', () => {
    const begun = press(armed(editable('echo one\necho two')).state, LATER, 'e');
    expect(draftOf(begun.state.editor)).toBe('echo one\necho two');
    const sent = press(press(begun.state, LATER, ...' x').state, sentAt, 'enter', 'enter', 'y');
    expect(sent.effects).toEqual([
      { type: 'send', command: { type: 'approval.answer', approval: 'a', decision: 'once', body: 'echo one\necho two x' } },
    ]);
    expect(sent.state.approvals.map((one) => one.id)).toEqual(['b']);
  });

  test.each([
    ['all CRLF', 'a\r\nb\r\n', ['x'], 'a\r\nb\r\nx'],
    ['mixed: lines keep theirs', 'a\r\nb\nc\r\nd', ['x'], 'a\r\nb\nc\r\ndx'],
    ['a new line has that of the one before', 'a\nb\r\nc', ['home', 'x', 'M-enter'], 'a\nb\r\nx\r\nc'],
    ['a line that is taken out', 'a\r\nb\nc', ['backspace', 'backspace'], 'a\r\nb'],
    ['only LF', 'a\nb', ['x'], 'a\nbx'],
  ])('e keeps line ends: %s', (_, body, keys, expected) => {
    const begun = press(armed(editable(body)).state, LATER, 'e');
    const sent = press(press(begun.state, LATER, ...keys).state, sentAt, 'enter');
    expect(sent.effects).toEqual([{ type: 'send', command: { type: 'approval.answer', approval: 'a', decision: 'once', body: expected } }]);
  });

  test('an Enter that was on its way sends nothing, nor does an empty command; Esc goes back to the question', () => {
    const begun = press(armed(editable('ls')).state, LATER, 'e').state;
    expect(press(begun, LATER + 399, 'enter').effects).toEqual([]);
    expect(press(begun, sentAt, 'C-u', 'enter').effects).toEqual([]);
    const back = press(begun, sentAt, ...' -l', 'escape');
    expect([back.effects, back.state.answering, back.state.approvals.length, draftOf(back.state.editor)]).toEqual([[], null, 2, '']);
  });

  test('what cannot be changed, or was not seen whole, is not edited', () => {
    const fixed = press(shown(open('ls'), START_MS), LATER, 'e');
    expect([fixed.state.answering, seen(fixed.state).includes('this cannot be changed')]).toEqual([null, true]);
    const long = press(armed(editable(Array.from({ length: 200 }, (_, i) => `echo ${i}`).join('\n'))).state, LATER, 'e');
    expect([long.state.answering, seen(long.state).includes('scroll to its end')]).toEqual([null, true]);
  });

  test('when the question goes away, the draft is back', () => {
    const begun = press(armed(editable('ls')).state, LATER, 'e').state;
    const gone = following(begun, { type: 'approval.resolved', approval: 'a', decision: 'deny', by: 'cancel' });
    expect([gone.answering, draftOf(gone.editor)]).toEqual([null, '']);
  });

  test('a paste into it is its text', () => {
    const begun = press(armed(editable('ls')).state, LATER, 'e').state;
    const pasted = handleInput(begun, { type: 'paste', text: ' /tmp', complete: true }, LATER).state;
    expect(draftOf(pasted.editor)).toBe('ls /tmp');
  });
});
