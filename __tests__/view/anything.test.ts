/** Whatever happens in whatever order: the picture is whole, the cursor is on it, and no "yes" was given unread. */

import fc from 'fast-check';
import { slashCommands, slashStep } from '../../lib/commands/index.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { InputEvent } from '../../lib/protocol/input.js';
import { freshModes } from '../../lib/protocol/panes.js';
import type { RuleSubject } from '../../lib/protocol/rules.js';
import { type Effect, handleInput, settle } from '../../lib/view/app.js';
import { isArmed, unseenReason } from '../../lib/view/approval.js';
import { compose, createComposer } from '../../lib/view/compose.js';
import { keymap } from '../../lib/view/keymap.js';
import { createLayoutMemory } from '../../lib/view/layout-memory.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import { isRuleSeen, unsavableReason } from '../../lib/view/ruling.js';
import type { State } from '../../lib/view/state.js';
import { chatModel, keyEvent, picture, START_MS, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();

const text = fc.constantFrom(
  'why?',
  'a\nb\nc',
  '日本語 👩‍👩‍👧',
  '**x** `y`\n\n- z',
  'long '.repeat(300),
  '',
  '\t\x1b[31m\u202e',
  'line\n'.repeat(80),
);
const id = fc.constantFrom('1', '2', '3');
const cells = (cols: number) => ({ cols, rows: [{ segments: [] }], cursor: { x: 0, y: 0, shown: true }, modes: freshModes });

const place = { target: 'web-01 (ssh)', host: 'web-01', user: 'root' };
const places = [
  { ...place, folder: '/srv/app' },
  { ...place, folder: null },
];
const subject: fc.Arbitrary<RuleSubject> = fc.oneof(
  fc.record({ kind: fc.constant('command' as const), words: fc.array(text, { minLength: 1, maxLength: 3 }), exact: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('file' as const, 'folder' as const), path: text }),
);
const scrolledOff = (cols: number) => ({ cols, rows: Array.from({ length: cols }, () => ({ segments: [] })), more: false });

const event: fc.Arbitrary<RuntimeEvent> = fc.oneof(
  fc.constant(startedEvent(chatModel)),
  fc.record({
    type: fc.constant('task.started' as const),
    task: id,
    kind: fc.constantFrom('prompt' as const, 'job' as const),
    text,
    pane: fc.constant(null),
  }),
  fc.record({ type: fc.constant('task.steered' as const), task: id, text }),
  fc.record({ type: fc.constant('task.progress' as const), task: id, lastLine: text }),
  fc.record({
    type: fc.constant('task.ended' as const),
    task: id,
    outcome: fc.constantFrom('completed' as const, 'failed' as const, 'cancelled' as const),
    exitCode: fc.constantFrom(null, 0, 3),
    error: fc.constant(null),
  }),
  fc.record({ type: fc.constant('model.text' as const), task: id, text }),
  fc.record({ type: fc.constant('model.reasoning' as const), task: id, text }),
  fc.record({
    type: fc.constant('model.retrying' as const),
    task: id,
    attempt: fc.constant(2),
    atMs: fc.constant(START_MS + 5000),
    reason: text,
  }),
  fc.record({ type: fc.constant('tool.requested' as const), task: id, call: id, name: fc.constant('run_shell'), preview: text }),
  fc.record({ type: fc.constant('tool.started' as const), task: id, call: id }),
  fc.record({ type: fc.constant('tool.output' as const), task: id, call: id, text }),
  fc.record({
    type: fc.constant('tool.ended' as const),
    task: id,
    call: id,
    isError: fc.boolean(),
    text,
    summary: fc.constant('exit 0'),
    exitCode: fc.constant(0),
    elapsedMs: fc.constant(5),
  }),
  fc.record({
    type: fc.constant('approval.requested' as const),
    request: fc.record(
      {
        id,
        task: id,
        call: id,
        tool: fc.constant('run_shell'),
        title: text,
        body: text,
        target: text,
        cwd: text,
        claim: fc.constantFrom(null, { risk: 'high' as const, mutation: true, privesc: true, why: 'long '.repeat(60) }),
        where: fc.record({ kind: fc.constantFrom('local' as const, 'ssh' as const, 'container' as const), host: text, user: text }),
        computed: fc.record({
          risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
          mutation: fc.boolean(),
          privesc: fc.boolean(),
          network: fc.boolean(),
          reasons: fc.array(text, { maxLength: 3 }),
        }),
        diff: fc.record({ path: text, before: fc.oneof(fc.constant(null), text), after: text }),
        editable: fc.boolean(),
        notes: fc.array(text, { maxLength: 2 }),
        rule: fc.record({
          subjects: fc.array(subject, { minLength: 1, maxLength: 4 }),
          proposed: fc.constant(0),
          places: fc.constant(places),
        }),
      },
      { requiredKeys: ['id', 'task', 'call', 'tool', 'title', 'body', 'target', 'cwd', 'claim'] },
    ),
  }),
  fc.record({
    type: fc.constant('approval.rules' as const),
    rules: fc.array(fc.record({ id, subject, place: fc.constantFrom(...places), saved: fc.boolean() }), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('approval.resolved' as const),
    approval: id,
    decision: fc.constant('deny' as const),
    by: fc.constant('cancel' as const),
  }),
  fc.record({
    type: fc.constant('queue.changed' as const),
    waiting: fc.array(fc.record({ id, text, mode: fc.constant('steer' as const) }), { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('queue.returned' as const), texts: fc.array(text, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('pane.opened' as const), pane: id, title: text }),
  fc.record({ type: fc.constant('pane.screen' as const), pane: id, screen: fc.constantFrom(cells(80), cells(300)) }),
  fc.record({ type: fc.constant('pane.closed' as const), pane: id }),
  fc.record({
    type: fc.constant('pane.scrollback' as const),
    pane: id,
    scrollback: fc.constantFrom(null, scrolledOff(80), scrolledOff(300)),
  }),
  fc.record({
    type: fc.constant('task.output' as const),
    task: id,
    output: fc.record({ text, offset: fc.constantFrom(0, 9), total: fc.constant(99), id: fc.constantFrom(null, 'o1') }),
  }),
  fc.record({ type: fc.constant('pane.command' as const), pane: id, text, exitCode: fc.constantFrom(null, 3), cwd: text }),
  fc.record({
    type: fc.constant('pane.returned' as const),
    pane: id,
    commands: fc.array(fc.record({ text, exitCode: fc.constantFrom(null, 3), cwd: text }), { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('warning' as const), message: text }),
);

type Mouse = Extract<InputEvent, { type: 'mouse' }>;

type Happening =
  | { readonly kind: 'event'; readonly event: RuntimeEvent }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'mouse'; readonly action: Mouse['action']; readonly x: number; readonly y: number }
  | { readonly kind: 'window'; readonly gained: boolean }
  | { readonly kind: 'resize'; readonly cols: number; readonly rows: number }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'shown' };

const keys = [...new Set([...keymap.flatMap((row) => row.keys), 'a', '/', 'k', ' ', '日'])].map((key) => (key === ' ' ? 'space' : key));

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('event' as const), event }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('key' as const), key: fc.constantFrom(...keys, 'y', 'y', 'pagedown') }) },
  fc.record({ kind: fc.constant('paste' as const), text }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('mouse' as const),
      action: fc.constantFrom<Mouse['action'][]>('press', 'drag', 'drag', 'release', 'wheel-up', 'wheel-down'),
      x: fc.nat(150),
      y: fc.nat(40),
    }),
  },
  fc.record({ kind: fc.constant('window' as const), gained: fc.boolean() }),
  fc.record({ kind: fc.constant('resize' as const), cols: fc.integer({ min: 1, max: 170 }), rows: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(10, 500, 3000) }),
  { weight: 3, arbitrary: fc.constant({ kind: 'shown' as const }) },
);

test('anything, in any order', () => {
  fc.assert(
    fc.property(
      fc.array(happening, { minLength: 5, maxLength: 60 }),
      fc.constantFrom('emacs' as const, 'vi' as const),
      (all, editorMode) => {
        let nowMs = START_MS;
        let state = stateAfter(100, 30, [], { lex, commands: slashCommands, editorMode });
        const draw = createComposer();
        for (const one of all) {
          const before = state;
          const effects: Effect[] = [];
          if (one.kind === 'time') nowMs += one.ms;
          state = next(state, one, nowMs, effects);
          if (before.takeover !== null && (one.kind === 'key' || one.kind === 'paste')) {
            expect(effects.map((effect) => effect.type === 'send' && effect.command.type.startsWith('pane.'))).not.toContain(false);
            expect(state.editor).toBe(before.editor);
          }
          for (const effect of effects) {
            if (effect.type === 'slash') state = slashStep(effect.line, state).state;
            if (effect.type !== 'send' || effect.command.type !== 'approval.answer' || effect.command.decision === 'deny') continue;
            if (before.ruling === null) expect(unseenReason(before)).toBeNull();
            expect(isArmed(before, nowMs)).toBe(true);
            expect(effect.command.decision === 'rule').toBe(before.ruling !== null);
            if (before.ruling !== null) expect([unsavableReason(before), isRuleSeen(before, nowMs)]).toEqual([null, true]);
          }
          state = settle(state).state;
          expect(settle(state).effects).toEqual([]);
          const frame = draw(state);
          // Drawn with no memory of anything, it must be the same.
          expect(picture(frame)).toEqual(picture(compose({ ...state, layouts: createLayoutMemory() }, state.theme)));
          const { cursor } = frame;
          expect(cursor === null || (cursor.x >= 0 && cursor.x < frame.size.cols && cursor.y >= 0 && cursor.y < frame.size.rows)).toBe(
            true,
          );
        }
      },
    ),
    { numRuns: 60, seed: 2026 },
  );
});

function next(state: State, one: Happening, nowMs: number, effects: Effect[]): State {
  const input = (event: Parameters<typeof handleInput>[1]): State => {
    const step = handleInput(state, event, nowMs);
    effects.push(...step.effects);
    return step.state;
  };
  switch (one.kind) {
    case 'event':
      return reduce(state, { type: 'runtime', envelope: { seq: 1, tsMs: nowMs, event: one.event } });
    case 'key':
      return input(keyEvent(one.key));
    case 'paste':
      return input({ type: 'paste', text: one.text, complete: true });
    case 'mouse':
      return input({ type: 'mouse', action: one.action, button: 'left', x: one.x, y: one.y });
    case 'window':
      return input({ type: 'focus', gained: one.gained });
    case 'resize':
      return reduce(state, { type: 'resized', size: { cols: one.cols, rows: one.rows } });
    case 'time':
      return reduce(state, { type: 'tick', nowMs });
    case 'shown':
      return reduce(state, { type: 'shown', nowMs });
  }
}
