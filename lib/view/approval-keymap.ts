/** The keys of a question, of an answer in words, and of a rule: rows of the keymap. */

import { uneditableReason, unseenReason } from './approval.js';
import type { KeyMeaning } from './key-meaning.js';
import { onlyWholeReason } from './question.js';
import { noOtherReason, noRuleReason, unsavableReason } from './ruling.js';
import type { State } from './state.js';

const severalWait = (state: State): boolean => state.approvals.length > 1;

/** In the order of help. */
export const approvalRows = [
  { id: 'approval.once', keys: ['y'], context: 'approval', says: 'yes, this once', hint: 'once', disabled: unseenReason },
  {
    id: 'approval.session',
    keys: ['s'],
    context: 'approval',
    says: 'yes, and all like it in this session',
    hint: 'session',
    disabled: unseenReason,
  },
  {
    id: 'approval.rule',
    keys: ['p'],
    context: 'approval',
    says: 'yes, by a rule that you choose, look at and save',
    hint: 'rule',
    disabled: noRuleReason,
  },
  {
    id: 'approval.edit',
    keys: ['e'],
    context: 'approval',
    says: 'change it, and run what you wrote',
    hint: 'edit',
    disabled: uneditableReason,
  },
  { id: 'approval.feedback', keys: ['f'], context: 'approval', says: 'no, and say why', hint: 'no, because' },
  { id: 'approval.deny', keys: ['n', 'escape'], context: 'approval', says: 'no; the model is told', hint: 'no' },
  {
    id: 'approval.next',
    keys: ['tab', ']'],
    context: 'approval',
    says: 'the next question that waits; this one waits on',
    hint: 'next question',
    when: severalWait,
  },
  { id: 'approval.expand', keys: ['x'], context: 'approval', says: 'use the whole height, or less again', hint: 'whole' },
  {
    id: 'approval.whole',
    keys: ['d'],
    context: 'approval',
    says: 'the whole text of a file, or what changes in it',
    disabled: onlyWholeReason,
  },
  { id: 'approval.up', keys: ['up'], context: 'approval', says: 'what is asked: up a row' },
  { id: 'approval.down', keys: ['down'], context: 'approval', says: 'what is asked: down a row' },
  { id: 'approval.pageUp', keys: ['pageup'], context: 'approval', says: 'what is asked: up a page' },
  { id: 'approval.pageDown', keys: ['pagedown', 'space'], context: 'approval', says: 'what is asked: down a page', hint: 'page' },

  {
    id: 'ruling.save',
    keys: ['enter'],
    context: 'ruling',
    says: 'save the rule, and say yes by it',
    hint: 'save',
    disabled: unsavableReason,
  },
  {
    id: 'ruling.wider',
    keys: ['left', 'up'],
    context: 'ruling',
    says: 'a wider rule: fewer words, the folder above',
    hint: 'wider',
    disabled: (state: State) => noOtherReason(state, -1),
  },
  {
    id: 'ruling.narrower',
    keys: ['right', 'down'],
    context: 'ruling',
    says: 'a narrower rule: more words, less of a path',
    hint: 'narrower',
    disabled: (state: State) => noOtherReason(state, 1),
  },
  { id: 'ruling.scope', keys: ['tab'], context: 'ruling', says: 'where and how long it holds: next', hint: 'where' },
  { id: 'ruling.scopeBack', keys: ['S-tab'], context: 'ruling', says: 'where and how long it holds: the one before' },
  { id: 'ruling.back', keys: ['escape'], context: 'ruling', says: 'no rule; back to the question', hint: 'back' },

  { id: 'answering.send', keys: ['enter'], context: 'answering', says: 'send the answer', hint: 'send' },
  { id: 'answering.back', keys: ['escape'], context: 'answering', says: 'back to the question', hint: 'back' },
] as const satisfies readonly KeyMeaning[];
