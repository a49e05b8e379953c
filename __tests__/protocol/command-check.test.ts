/** Whatever a client writes on a line: it is a command to its last field, or one sentence says why it is none. */

import fc from 'fast-check';
import { checkLine, isBlank } from '../../lib/protocol/command-check.js';
import { commandRows } from '../../lib/protocol/command-rows.js';
import type { RuntimeCommand } from '../../lib/protocol/commands.js';
import type { WireRequest } from '../../lib/protocol/wire.js';

const check = (value: unknown) => checkLine(JSON.stringify(value));

const picture = { mediaType: 'image/png', data: 'iVBORw0KGgo=', name: 'a.png', width: 1, height: 1 } as const;

/** One of each kind that is as large as it can be. */
const whole: { readonly [T in RuntimeCommand['type']]: Required<Omit<Extract<RuntimeCommand, { readonly type: T }>, 'type'>> } = {
  'prompt.submit': { text: 'how full is the disk? 😀\n', mentions: '', images: [picture] },
  'prompt.steer': { text: '', mentions: 'see @pane', images: [] },
  'mentions.tell': { text: '@pane' },
  'queue.recall': {},
  'queue.edit': { queued: 'q1', change: 'earlier' },
  'task.cancel': { task: '1' },
  'task.deadline': { task: '1', afterMs: null },
  'task.watch': { task: null },
  'approval.answer': {
    approval: 'a1',
    decision: 'rule',
    feedback: 'no',
    body: 'ls',
    rule: { subject: 0, place: 1, saved: false, forMs: 3_600_000 },
  },
  'approval.forget': { rule: 'r1' },
  'command.run': { text: 'ls', tell: true },
  'command.invoke': { name: 'skill:disk', args: '', mentions: '' },
  'limits.configure': { limit: 'requests', value: 7 },
  'extensions.tell': {},
  'extensions.reload': {},
  'approval.policy': { policy: { kind: 'until', untilMs: 1_800_000_000_000 } },
  'model.switch': { profile: 'work', effort: 'high' },
  'session.new': {},
  'session.resume': { session: 'last', keepModel: true },
  'session.fork': {},
  'session.list': {},
  'session.rename': { name: 'disk', session: 's2' },
  'session.delete': { session: 's2' },
  'session.preview': { session: 's2' },
  'tree.tell': {},
  'tree.go': { entry: '4' },
  'tree.label': { entry: null, label: '' },
  'session.export': { format: 'cast', path: '', size: { cols: 80, rows: 24 } },
  'session.import': { path: '/tmp/x' },
  'limits.tell': {},
  'limits.set': { limit: 'cost', value: 0.5 },
  'context.tell': {},
  'mcp.tell': {},
  'mcp.act': { server: 'files', act: 'restart' },
  'session.compact': { wishes: '' },
  'pane.takeover': { pane: '%3' },
  'pane.input': { pane: '%3', bytes: '\x00\x1b[A' },
  'pane.paste': { pane: '%3', text: 'x' },
  'pane.handback': { pane: '%3' },
  'pane.watch': { pane: 'direct' },
  'pane.scrollback': { pane: '%3' },
  'pane.integrate': { pane: '%3' },
  'pane.resize': { pane: '%3', cols: 120, rows: 40 },
  'runtime.shutdown': { keep: false },
};
const commands = Object.entries(whole).map(([type, fields]) => ({ type, ...fields }));

test.each(commands)('$type is taken as it is', (command) => {
  expect(check({ id: 7, ...command })).toEqual({ id: 7, command: command.type, request: command });
});

test.each(commands)('$type: every field that is missing, of another type, or not known is named', (command) => {
  const rows = commandRows[command.type as WireRequest['type']].fields;
  for (const [field, row] of Object.entries(rows)) {
    const { [field]: _, ...without } = command as Readonly<Record<string, unknown>>;
    const left = check({ id: 'x', ...without });
    if (row.isOptional) expect(left).toMatchObject({ request: without });
    else expect(left).toMatchObject({ id: 'x', command: command.type, problem: { code: 'rpc.field', field } });
    for (const other of [[1], {}, 1.5e300, -1])
      expect([other, check({ ...command, [field]: other })]).toEqual([
        other,
        expect.objectContaining({ problem: { code: 'rpc.field', field: expect.stringMatching(`^${field}`), message: expect.any(String) } }),
      ]);
  }
  expect(check({ ...command, surplus: 1 })).toMatchObject({ problem: { code: 'rpc.field', field: 'surplus' } });
});

test.each([
  [{ type: 'approval.answer', approval: 'a1', decision: 'yes' }, 'decision', 'decision must be one of once, session, rule, deny'],
  [
    { type: 'approval.answer', approval: 'a1', decision: 'rule', rule: { subject: -1, place: 0, saved: true } },
    'rule.subject',
    'rule.subject must be a whole number from 0 to 1000',
  ],
  [
    { type: 'approval.answer', approval: 'a1', decision: 'rule', rule: { subject: 1, place: 0 } },
    'rule.saved',
    'rule.saved is missing: true or false',
  ],
  [
    { type: 'approval.policy', policy: { kind: 'until' } },
    'policy.untilMs',
    'policy.untilMs is missing: a number from 0 to 8640000000000000',
  ],
  [{ type: 'approval.policy', policy: { kind: 'some' } }, 'policy.kind', 'policy.kind must be one of ask, all, none, until'],
  [{ type: 'approval.policy', policy: { kind: 'all', untilMs: 3 } }, 'policy.untilMs', 'there is no field policy.untilMs here'],
  [{ type: 'pane.resize', pane: '%0; kill-server', cols: 1, rows: 1 }, 'pane', 'pane must be the id of a pane (%0, %1, …, or direct)'],
  [{ type: 'prompt.submit', text: 'a\0b' }, 'text', 'text must be a text without NUL'],
  [{ type: 'prompt.submit', text: '\ud800' }, 'text', 'text must be a text without NUL'],
  [{ type: 'task.deadline', task: '1', afterMs: '5' }, 'afterMs', 'afterMs must be a number from 0 to 3155760000000, or null'],
  [{ id: {}, type: 'session.new' }, 'id', 'id must be a text of at most 200 characters, or a whole number'],
  [{ id: 1 }, 'type', 'type is missing: the name of a command'],
  [{ type: 4 }, 'type', 'type must be a text: the name of a command'],
])('%j', (value, field, message) => {
  expect(check(value)).toMatchObject({ problem: { code: 'rpc.field', field, message } });
});

test.each([
  ['', 'the line is no JSON'],
  ['{"type":"session.new"', 'the line is no JSON'],
  ['{"type":"session.new"}\0', 'the line is no JSON'],
  ['\ufeff{"type":"session.new"}', 'the line is no JSON'],
  ['[]', 'the line is no JSON object'],
  ['null', 'the line is no JSON object'],
  [`{"type":${'['.repeat(100_000)}`, 'the line is nested too deep'],
])('%p is no request', (line, message) => {
  expect(checkLine(line)).toEqual({ id: null, command: null, problem: { code: 'rpc.line', message } });
});

test('a name that was mistyped is guessed; names of other things are no commands', () => {
  expect(check({ type: 'prompt.sumbit' })).toMatchObject({ problem: { message: 'there is no such command; did you mean prompt.submit?' } });
  for (const type of ['constructor', '__proto__', 'toString', 'x'.repeat(100_000)])
    expect(check({ type })).toMatchObject({ command: null, problem: { code: 'rpc.command', message: 'there is no such command' } });
  expect(checkLine('{"type":"session.new","__proto__":{"x":1}}')).toMatchObject({ problem: { field: '__proto__' } });
});

const nearly = fc.constantFrom(...commands).chain((command) =>
  fc
    .record({
      id: fc.oneof(fc.string(), fc.integer(), fc.jsonValue()),
      fields: fc.dictionary(fc.constantFrom(...Object.keys(command), 'other'), fc.jsonValue()),
    })
    .map(({ id, fields }) => ({ ...command, ...fields, id })),
);

test('anything at all is answered, never thrown at; what is taken is whole', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    nearly.map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(line, (written) => {
      if (isBlank(written)) return;
      const checked = checkLine(written);
      if ('problem' in checked) {
        expect(checked.problem.message).not.toBe('');
        return;
      }
      const { id, ...rest } = JSON.parse(written) as Record<string, unknown>;
      expect(checked.request).toEqual(rest);
      expect(checked.id).toEqual(id ?? null);
      expect(Object.hasOwn(commandRows, checked.request.type)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
