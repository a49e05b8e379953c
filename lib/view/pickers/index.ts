/** The table of lists that can be searched: one line each. */

import { baseOf } from '../../protocol/efforts.js';
import { type Effect, send } from '../effects.js';
import type { PickerItem } from '../picker.js';
import type { PickerKind, State } from '../state.js';
import { copiedText, copyItems } from './copy.js';
import { effortItems } from './effort.js';
import { historyItems, takePrompt } from './history.js';
import { actOn, mcpItems } from './mcp.js';
import { modelItems } from './model.js';
import { paletteItems } from './palette.js';
import { queueItems } from './queue.js';
import { sessionItems } from './session.js';
import { settingItems } from './settings.js';
import { themeItems } from './theme.js';
import { answerOf, projectItems } from './trust.js';

/** What a list is called, what is in it, and what it does. */
export interface PickerSource {
  readonly title: string;
  items(state: State): readonly PickerItem[];
  /** What choosing does; left out: the entry is an action of the keymap or a slash command. */
  take?(item: PickerItem, state: State): Effect;
  /** Or what it makes of the screen. */
  put?(state: State, item: PickerItem): State;
  /** What happens while an entry is only looked at. */
  preview?(item: PickerItem): Effect;
  /** What happens when the list is closed and nothing was chosen. */
  leave?(state: State): Effect;
  /** How one is chosen where the list is only said, line by line; left out: its label is written behind the command. */
  readonly written?: string;
}

export const pickers: Readonly<Record<PickerKind, PickerSource>> = {
  palette: { title: 'commands', items: paletteItems },
  theme: {
    title: 'themes',
    items: themeItems,
    take: ({ id }) => ({ type: 'theme', name: id, keep: true }),
    preview: ({ id }) => ({ type: 'theme', name: id, keep: false }),
    leave: ({ themeName }) => ({ type: 'theme', name: themeName, keep: true }),
  },
  history: { title: 'earlier prompts', items: historyItems, put: takePrompt },
  copy: { title: 'copy', items: copyItems, take: ({ id }, state) => ({ type: 'copy', text: copiedText(state, id) }) },
  session: { title: 'sessions', items: sessionItems, take: ({ id }) => send({ type: 'session.resume', session: id }) },
  queue: {
    title: 'what waits',
    items: queueItems,
    take: ({ id }) => send({ type: 'queue.edit', queued: id, change: 'take' }),
    written: 'Write its number: /queue edit 1, delete 1, earlier 1, later 1.',
  },
  effort: {
    title: 'how much it thinks',
    items: effortItems,
    take: ({ id }, { model }) => send({ type: 'model.switch', profile: model === null ? '' : baseOf(model), effort: id }),
  },
  trust: {
    title: 'trust this folder?',
    items: projectItems,
    take: ({ id }, { project: { listing } }) => ({ type: 'trust', answer: answerOf(id, listing) }),
  },
  mcp: { title: 'MCP servers', items: mcpItems, take: ({ id }) => actOn(id) },
  settings: { title: 'settings', items: settingItems },
  model: { title: 'models', items: modelItems, take: ({ id }) => send({ type: 'model.switch', profile: id }) },
};

/** The entries of the open list; they stay the same objects while what they are made from does. */
export function itemsOf(state: State): readonly PickerItem[] {
  const { picker } = state;
  if (picker === null) return [];
  const { transcript, commands, bindings, tasks, panes, pane, profiles, model, editor, approvals, themeNames, themeName, queue, kept } =
    state;
  const inputs = [
    picker.kind,
    picker.kind === 'copy' ? transcript : null,
    commands,
    bindings,
    tasks,
    panes,
    pane,
    profiles,
    model,
    editor,
    approvals,
    themeNames,
    themeName,
    queue,
    ...(picker.kind === 'session' ? [kept.listed, kept.look.order, kept.look.namedOnly] : []),
    picker.kind === 'trust' ? state.project : null,
    picker.kind === 'mcp' ? state.mcp : null,
    ...(picker.kind === 'settings' ? [state.settings.listing, state.settings.session] : []),
  ];
  return state.layouts.remember('picker-items', inputs, () => pickers[picker.kind].items(state));
}
