/** Rows of the key table: the mouse, what is selected with it, and how the panes are arranged. */

import { unarrangeableReason } from '../arranging.js';
import type { State } from '../state.js';

const isSelected = (state: State): boolean => state.pointer.selection !== null && state.pointer.held === null;
const nothingSelected = (state: State): string | null => (isSelected(state) ? null : 'nothing is selected');
const hasTerminalMouse = (state: State): boolean => state.pointer.released;
const says = 'copy what is selected with the mouse';

/** What is selected goes before what the draft would copy. */
export const selectionRows = [
  { id: 'selection.copy', keys: ['M-w'], context: 'editor', says, hint: 'copy', when: isSelected, disabled: nothingSelected },
  { id: 'selection.copy', keys: ['M-w'], context: 'global', says, hint: 'copy', when: isSelected, disabled: nothingSelected },
] as const;

/** Alt and an arrow move a border from a pane; in the draft those move by words, so Shift is added. */
export const arrangementRows = [
  { id: 'layout.left', keys: ['M-left'], context: 'pane', says: 'layout: move the border to the left' },
  { id: 'layout.right', keys: ['M-right'], context: 'pane', says: 'layout: move the border to the right' },
  { id: 'layout.up', keys: ['M-up'], context: 'pane', says: 'layout: move the border up' },
  { id: 'layout.down', keys: ['M-down'], context: 'pane', says: 'layout: move the border down' },
  { id: 'layout.hide', keys: ['x'], context: 'pane', says: 'layout: put this pane away' },
  { id: 'layout.left', keys: ['M-S-left'], context: 'global', says: 'layout: move the border to the left', disabled: unarrangeableReason },
  {
    id: 'layout.right',
    keys: ['M-S-right'],
    context: 'global',
    says: 'layout: move the border to the right',
    disabled: unarrangeableReason,
  },
  { id: 'layout.up', keys: ['M-S-up'], context: 'global', says: 'layout: move the border up', disabled: unarrangeableReason },
  { id: 'layout.down', keys: ['M-S-down'], context: 'global', says: 'layout: move the border down', disabled: unarrangeableReason },
  { id: 'layout.mirror', keys: ['M-m'], context: 'global', says: 'layout: show the pane, or put it away', disabled: unarrangeableReason },
  { id: 'layout.tasks', keys: ['M-j'], context: 'global', says: 'layout: show the tasks, or put them away', disabled: unarrangeableReason },
  { id: 'layout.preset1', keys: ['M-1'], context: 'global', says: 'layout 1: everything, as it suits the window' },
  { id: 'layout.preset2', keys: ['M-2'], context: 'global', says: 'layout 2: the conversation alone' },
  { id: 'layout.preset3', keys: ['M-3'], context: 'global', says: 'layout 3: a large pane' },
  { id: 'layout.preset4', keys: ['M-4'], context: 'global', says: 'layout 4: conversation and pane, half each' },
  {
    id: 'mouse.take',
    keys: ['f7'],
    context: 'global',
    says: 'use the mouse here again',
    hint: 'mouse back',
    when: hasTerminalMouse,
  },
  {
    id: 'mouse.release',
    keys: ['f7'],
    context: 'global',
    says: 'give the mouse to the terminal, to select and copy as it does',
    hint: 'free mouse',
  },
] as const;
