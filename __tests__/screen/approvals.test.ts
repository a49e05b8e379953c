/** Journeys through questions: a rule is made, a write is looked at, several wait, the policy is changed. */

import { slashCommands, slashStep } from '../../lib/commands/index.js';
import { offerFor } from '../../lib/policy/approval-rules.js';
import type { ApprovalRequest } from '../../lib/protocol/approvals.js';
import type { ListedRule } from '../../lib/protocol/rules.js';
import { handleInput } from '../../lib/view/app.js';
import { approvalButtons } from '../../lib/view/approval-buttons.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const place = { target: 'web-01 (ssh)', host: 'web-01', user: 'root', cwd: '/srv/app', shell: 'bash' };
const claim = { risk: 'low', mutation: false, privesc: false, why: 'To see what changed.' } as const;

function shell(id: string, body: string): ApprovalRequest {
  const rule = offerFor({ kind: 'command', command: body }, place, claim, '/root');
  const { target, cwd } = place;
  const request = { id, task: '1', call: `c-${id}`, tool: 'run_shell', title: 'run', body, target, cwd, claim, editable: true };
  return rule === null ? request : { ...request, rule };
}

function write(id: string, path: string, before: string | null, after: string): ApprovalRequest {
  const rule = offerFor({ kind: 'write', path }, place, null, '/root');
  return {
    ...{ ...shell(id, after), tool: 'write_file', title: `write ${path}`, diff: { path, before, after } },
    ...(rule === null ? {} : { rule }),
  };
}

const start = (cols = 100, rows = 30): State => stateAfter(cols, rows, [startedEvent()], { commands: slashCommands });
const shown = (state: State, nowMs: number): State => reduce(state, { type: 'shown', nowMs });
const ask = (state: State, ...requests: readonly ApprovalRequest[]): State =>
  shown(following(state, ...requests.map((request) => ({ type: 'approval.requested', request }) as const)), START_MS);

/** Keys half a second apart, each after a frame. */
function typed(state: State, ...keys: readonly string[]) {
  let now = state;
  const sent: unknown[] = [];
  let nowMs = Math.max(state.nowMs, START_MS);
  for (const key of keys) {
    nowMs += 500;
    const step = press(now, nowMs, key);
    sent.push(...step.effects.flatMap((effect) => (effect.type === 'send' ? [effect.command] : [])));
    now = shown(step.state, nowMs);
  }
  return { state: now, sent, text: seen(now) };
}

/** The panel of the question, without its sides. */
const panel = (state: State): readonly string[] => {
  const lines = seen(state).split('\n');
  const top = lines.findIndex((line) => line.startsWith('┌─ approve'));
  return lines
    .slice(top, lines.indexOf(`└${'─'.repeat(state.size.cols - 2)}┘`, top) + 1)
    .map((line) => line.replace(/^│|│$/g, '').trimEnd());
};

describe('a rule', () => {
  test('is proposed, made wider and narrower, given a scope, and saved with Enter', () => {
    const open = typed(ask(start(), shell('a', 'git log --oneline -5')), 'p');
    expect(panel(open.state).slice(1, -1)).toEqual([
      'a rule for run_shell                                                                        1 of 4',
      'the rule  git log --oneline -5 …',
      'allows    every command that begins with `git log`; chains, redirections, substitutions,',
      '          variables, wildcards and what the model calls high risk are still asked',
      'holds     this session, in /srv/app, as root on web-01 (ssh)',
      '[Enter] save, and yes  [←] wider  [→] narrower  [Tab] where, how long  [Esc] back',
    ]);
    const narrower = typed(open.state, 'right');
    expect(narrower.text).toContain('begins with `git log --oneline`;');
    const exact = typed(narrower.state, 'right', 'right', 'right');
    expect(exact.text).toContain('4 of 4');
    expect(approvalButtons(exact.state).map((button) => button.enabled)).toEqual([true, true, false, true, true]);
    expect(exact.text).toContain('exactly `git log --oneline -5`, with nothing before or behind it');
    const scoped = typed(narrower.state, 'tab', 'tab');
    expect(scoped.text).toContain('holds     always, in /srv/app, as root on web-01 (ssh); saved');
    const saved = typed(scoped.state, 'left', 'tab', 'enter');
    expect(saved.sent).toEqual([{ type: 'approval.answer', approval: 'a', decision: 'rule', rule: { subject: 0, place: 1, saved: true } }]);
    expect([saved.state.approvals, saved.state.ruling]).toEqual([[], null]);
  });

  test('Esc goes back to the question, which still takes its answers', () => {
    const back = typed(ask(start(), shell('a', 'git log')), 'p', 'escape');
    expect(back.text).toContain('[y] once');
    expect(back.sent).toEqual([]);
    expect(typed(back.state, 'y').sent).toEqual([{ type: 'approval.answer', approval: 'a', decision: 'once' }]);
  });

  test('an Enter that was on its way saves nothing, nor does one behind letters or a paste', () => {
    const asked = ask(start(), shell('a', 'git log'));
    expect(press(asked, START_MS + 500, 'p', 'enter').effects).toEqual([]);
    const open = typed(asked, 'p').state;
    expect(press(open, open.nowMs + 300, 'enter').effects).toEqual([]);
    const letters = press(open, open.nowMs + 500, 'l', 's', 'enter');
    expect([letters.effects, draftOf(letters.state.editor)]).toEqual([[], '']);
    const pasted = handleInput(open, { type: 'paste', text: 'x', complete: true }, open.nowMs + 500).state;
    expect(press(pasted, open.nowMs + 600, 'enter').effects).toEqual([]);
  });

  test('one that was changed has to be looked at anew', () => {
    const open = typed(ask(start(), shell('a', 'git log -1')), 'p').state;
    const at = open.nowMs + 1000;
    expect(press(open, at, 'right', 'enter').effects).toEqual([]);
    const looked = shown(press(open, at, 'right').state, at);
    expect(press(looked, at + 400, 'enter').effects).toHaveLength(1);
  });

  test('there is none for a chain, and that is said', () => {
    const { state, text, sent } = typed(ask(start(), shell('a', 'git log; rm -r x')), 'p');
    expect(text).toContain('Not yet: rules are for one plain command, or for writing a file.');
    expect([state.ruling, sent]).toEqual([null, []]);
    expect(approvalButtons(state).find((button) => button.id === 'approval.rule')?.enabled).toBe(false);
  });

  test('the whole of it has to fit on the screen', () => {
    const open = typed(ask(start(40, 10), shell('a', 'git log')), 'p');
    expect(typed(open.state, 'enter').text).toContain('the window is too small');
    expect(typed(open.state, 'enter').sent).toEqual([]);
    expect(seen(open.state)).toContain('[Esc] back');
  });

  test('when the question goes away, so does the rule', () => {
    const open = typed(ask(start(), shell('a', 'git log')), 'p').state;
    const gone = following(open, { type: 'approval.resolved', approval: 'a', decision: 'deny', by: 'cancel' });
    expect([gone.ruling, seen(gone).includes('a rule for')]).toEqual([null, false]);
  });

  test('a call that it let through says so; /rules lists it and takes it back', () => {
    const subject = { kind: 'command', words: ['git', 'log'], exact: false } as const;
    const rule: ListedRule = {
      id: 'r1',
      subject,
      place: { target: 'this host', host: 'web-01', user: 'root', folder: '/srv' },
      saved: true,
    };
    const state = following(
      start(),
      { type: 'approval.rules', rules: [rule] },
      { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'git log -1' },
      { type: 'approval.ruled', task: '1', call: 'c', rule },
      { type: 'tool.started', task: '1', call: 'c' },
    );
    expect(seen(state)).toContain('not asked: your rule r1, git log … (always, in /srv, as root on this host; saved)');
    expect(seen(state).split('\n')[0]).toMatch(/ask \+1 rule$/);
    expect(seen(state)).toContain('Rule r1: git log … (always, in /srv, as root on this host; saved) /rules lists them.');
    expect(seen(following(state, { type: 'approval.rules', rules: [] }))).toContain('Rule r1 is gone: git log …');
    expect(seen(slashStep('/rules', state).state)).toContain('r1  git log …');
    expect(slashStep('/rules forget r1', state).effects).toEqual([{ type: 'send', command: { type: 'approval.forget', rule: 'r1' } }]);
    expect(seen(slashStep('/rules forget r2', state).state)).toContain('There is no rule "r2"; there are r1.');
  });
});

describe('a write', () => {
  const lines = (count: number, mark = '') => Array.from({ length: count }, (_, at) => `line ${at}${at === 40 ? mark : ''}\n`).join('');

  test('is shown as what changes, with counts; d shows the whole file', () => {
    const state = ask(start(100, 40), write('a', '/srv/app/a.conf', lines(90), lines(90, ' changed')));
    const text = seen(state);
    expect(text).toContain('+1 −1 · 90 lines');
    expect(text).toContain('41 - line 40');
    expect(text).toContain('41 + line 40 changed');
    expect(text).toContain('⋯ 37 unchanged lines');
    expect(typed(state, 'y').sent).toEqual([{ type: 'approval.answer', approval: 'a', decision: 'once' }]);
    const whole = typed(state, 'd');
    expect(whole.text).toContain('line 3\n'.trimEnd());
    expect(whole.text).not.toContain('unchanged lines');
    expect(typed(whole.state, 'd').text).toContain('unchanged lines');
  });

  test('a long one takes no yes before its end was on the screen; x enlarges it', () => {
    const state = ask(start(), write('a', '/srv/app/new.txt', null, lines(60)));
    expect(seen(state)).toContain('write_file  write /srv/app/new.txt');
    expect(seen(state)).toContain('new file · +60 −0');
    const early = typed(state, 'y', 's', 'p');
    expect([early.sent, early.state.ruling]).toEqual([[], null]);
    expect(early.text).toContain('y: scroll to its end (PgDn)');
    const rows = (text: string) => [...text.matchAll(/\d+ \+ line/g)].length;
    expect(rows(typed(state, 'x').text)).toBeGreaterThan(rows(seen(state)));
    const read = typed(state, ...Array<string>(12).fill('pagedown'));
    expect(read.text).toContain('60 + line 59');
    expect(typed(read.state, 'y').sent).toHaveLength(1);
  });

  test('a change of thousands of lines is shown as the whole text, one of a few lines in a long file as changes', () => {
    const many = ask(start(), write('a', '/srv/app/a.txt', lines(2000), lines(2000).replaceAll('line', 'row')));
    expect(seen(many)).toContain('+2000 −2000 · 2000 lines');
    expect(seen(many)).toContain('│  row 0');
    expect(typed(many, 'd').text).toContain('Not yet: too many lines change to show them as changes.');
    const few = ask(start(), write('a', '/srv/app/a.txt', lines(9000), lines(9000, ' changed')));
    expect(seen(few)).toContain('41 + line 40 changed');
    expect(typed(few, 'y').sent).toHaveLength(1);
  });

  test('what was seen at another width has to be seen anew, unless it was read to its end', () => {
    const part = typed(ask(start(), write('a', '/srv/app/new.txt', null, lines(60))), 'pagedown').state;
    const resized = shown(reduce(part, { type: 'resized', size: { cols: 80, rows: 30 } }), part.nowMs);
    expect(seen(resized)).toContain(' 1 + line 0');
    const read = typed(part, ...Array<string>(12).fill('pagedown')).state;
    const later = shown(reduce(read, { type: 'resized', size: { cols: 80, rows: 30 } }), read.nowMs);
    expect(typed(later, 'y').sent).toHaveLength(1);
  });

  test('the path is whole on the screen, however long it is', () => {
    const path = `/srv/app/${'deep/'.repeat(40)}a.txt`;
    const state = ask(start(60, 24), write('a', path, null, 'x\n'));
    expect(panel(state).join('').replace(/\s/g, '')).toContain(path);
    expect(typed(state, 'y').sent).toHaveLength(1);
  });

  test('a rule for it names the file, or a folder', () => {
    const open = typed(ask(start(), write('a', '/srv/app/lib/a.ts', null, 'x\n')), 'p');
    expect(open.text).toContain('every write to /srv/app/lib/a.ts, whatever is written');
    const wider = typed(open.state, 'left');
    expect(wider.text).toContain('every write to a file in /srv/app/lib and below; hidden files and folders in it are');
    expect(typed(wider.state, 'tab').text).toContain('holds     always, as root on web-01 (ssh); saved');
  });
});

describe('several questions', () => {
  const three = () => ask(start(), shell('a', 'git log'), shell('b', 'df -h'), shell('c', 'uptime'));

  test('the others are listed below, Tab and ] go to the next one, each is answered by itself', () => {
    expect(panel(three())[0]).toContain('1 of 3');
    expect(panel(three()).slice(-3, -1)).toEqual(['then  run_shell  run  df -h', 'then  run_shell  run  uptime']);
    const second = typed(three(), 'tab');
    expect(panel(second.state)[0]).toContain('2 of 3');
    expect(panel(second.state).slice(-3, -1)).toEqual(['then  run_shell  run  uptime', 'then  run_shell  run  git log']);
    const third = typed(second.state, ']');
    expect(third.text).toContain('3 of 3');
    const answered = typed(third.state, 'y');
    expect(answered.sent).toEqual([{ type: 'approval.answer', approval: 'c', decision: 'once' }]);
    expect(panel(answered.state)[0]).toContain('1 of 2');
    expect(typed(answered.state, 'n', 'y').sent).toEqual([
      { type: 'approval.answer', approval: 'a', decision: 'deny' },
      { type: 'approval.answer', approval: 'b', decision: 'once' },
    ]);
  });

  test('the next one is unarmed and unseen: no key meant for another answers it', () => {
    const at = START_MS + 500;
    expect(press(three(), at, 'tab', 'y').effects).toEqual([]);
    const shownNow = shown(press(three(), at, 'tab').state, at);
    expect(press(shownNow, at + 300, 'y').effects).toEqual([]);
    expect(press(shownNow, at + 400, 'y').effects).toHaveLength(1);
  });

  test('a list that has no room gives way to the command, a long one is counted', () => {
    const long = shell('a', Array.from({ length: 60 }, (_, at) => `echo ${at}`).join('\n'));
    expect(seen(ask(start(), long, shell('b', 'df')))).not.toContain('then  ');
    const many = ask(start(), ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => shell(id, 'df')));
    expect(panel(many).slice(-4, -1)).toEqual(['then  run_shell  run  df', 'then  run_shell  run  df', 'then  3 more']);
  });

  test('the buttons stand where they are drawn, also above the list', () => {
    const text = seen(three()).split('\n');
    const buttons = approvalButtons(three());
    expect(buttons.map((button) => button.id)).toContain('approval.next');
    for (const button of buttons) expect(text[button.row]?.slice(button.from, button.to)).toBe(button.label);
    const open = typed(three(), 'p').state;
    for (const button of approvalButtons(open))
      expect(seen(open).split('\n')[button.row]?.slice(button.from, button.to)).toBe(button.label);
    expect(approvalButtons(open).map((button) => button.key)).toEqual(['enter', 'left', 'right', 'tab', 'escape']);
  });

  test('with one question Tab goes to the panes as ever', () => {
    expect(typed(ask(start(), shell('a', 'df')), 'tab').state.focus).toBe('conversation');
  });
});

describe('the policy', () => {
  const header = (state: State) => seen(state).split('\n')[0] ?? '';

  test('Alt+A goes through them and says what each means; the header shows it and counts down', () => {
    const timed = typed(start(), 'M-a');
    expect(timed.sent).toEqual([{ type: 'approval.policy', policy: { kind: 'until', untilMs: START_MS + 501 + 600_000 } }]);
    expect(timed.text).toContain('all for another 10:00, then ask');
    const told = following(timed.state, { type: 'approval.policy', policy: timed.state.policy });
    const later = reduce(told, { type: 'tick', nowMs: START_MS + 60_000 });
    expect(header(later)).toMatch(/approve all 9:0\d$/);
    const over = reduce(told, { type: 'tick', nowMs: START_MS + 601_000 });
    expect(header(over)).toMatch(/ ask$/);
    expect(seen(over)).toContain('ask: everything that changes something is asked about');
    const all = typed(told, 'M-a');
    expect(all.text).toContain('all: nothing is asked about');
    expect(header(all.state)).toContain('approve ALL');
    const none = typed(all.state, 'M-a');
    expect(none.text).toContain('none: everything that would be asked about is denied');
    expect(typed(none.state, 'M-a').text).toContain('ask: everything that changes something is asked about');
  });

  test('not while a question waits: "none" would answer it', () => {
    const { sent, text } = typed(ask(start(), shell('a', 'df')), 'M-a');
    expect(sent).toEqual([]);
    expect(text).toContain('Not now: a question waits.');
  });

  test('a policy that came from elsewhere is told, too', () => {
    expect(seen(following(start(), { type: 'approval.policy', policy: { kind: 'all' } }))).toContain('all: nothing is asked about');
  });

  test('/approve 10m does the same', () => {
    const { effects } = slashStep('/approve 10m', start());
    expect(effects).toEqual([{ type: 'send', command: { type: 'approval.policy', policy: expect.objectContaining({ kind: 'until' }) } }]);
  });
});
