/** Which keys the dashboard listens to: the user's own from buddy.toml and keybindings.json over those of the table. */

import { join } from 'node:path';
import { messageOf } from '../base/errors.js';
import { fileTrouble, readTextIfPresent } from '../base/files.js';
import type { Host } from '../base/host.js';
import { visibleLine } from '../base/visible.js';
import { configDir, type LoadedConfig } from '../config/load.js';
import { type BindingEntry, checkBindings } from '../view/key-bindings.js';
import type { KeyBindings } from '../view/state.js';

/** pi's names of actions (its keybindings.json), and ours for the same. Those of parts that are not here are left out. */
const piActions: Readonly<Record<string, readonly string[]>> = {
  'tui.editor.cursorUp': ['draft.up'],
  'tui.editor.cursorDown': ['draft.down'],
  'tui.editor.cursorLeft': ['draft.left'],
  'tui.editor.cursorRight': ['draft.right'],
  'tui.editor.cursorWordLeft': ['draft.wordLeft'],
  'tui.editor.cursorWordRight': ['draft.wordRight'],
  'tui.editor.cursorLineStart': ['draft.lineStart'],
  'tui.editor.cursorLineEnd': ['draft.lineEnd'],
  'tui.editor.deleteCharBackward': ['draft.eraseLeft'],
  'tui.editor.deleteCharForward': ['draft.eraseRight'],
  'tui.editor.deleteWordBackward': ['draft.killWordLeft'],
  'tui.editor.deleteWordForward': ['draft.killWordRight'],
  'tui.editor.deleteToLineStart': ['draft.killLineStart'],
  'tui.editor.deleteToLineEnd': ['draft.killLineEnd'],
  'tui.editor.yank': ['draft.yank'],
  'tui.editor.yankPop': ['draft.yankPop'],
  'tui.editor.undo': ['draft.undo'],
  'tui.input.newLine': ['draft.newline'],
  'tui.input.submit': ['draft.submit'],
  'tui.input.tab': ['completion.accept'],
  'tui.select.up': ['completion.previous', 'picker.up'],
  'tui.select.down': ['completion.next', 'picker.down'],
  'tui.select.pageUp': ['picker.pageUp'],
  'tui.select.pageDown': ['picker.pageDown'],
  'tui.select.confirm': ['picker.take'],
  'tui.select.cancel': ['picker.close'],
  'tui.altScreen.pageUp': ['global/conversation.pageUp'],
  'tui.altScreen.pageDown': ['global/conversation.pageDown'],
  'tui.altScreen.previousPrompt': ['conversation.previousPrompt'],
  'tui.altScreen.nextPrompt': ['conversation.nextPrompt'],
  'tui.altScreen.top': ['conversation/conversation.start'],
  'tui.altScreen.bottom': ['conversation/conversation.end'],
  'app.interrupt': ['interrupt'],
  'app.clear': ['cancel'],
  'app.exit': ['quit'],
  'app.suspend': ['suspend'],
  'app.editor.external': ['draft.external'],
  'app.tools.expand': ['expandAll'],
  'app.message.copy': ['conversation.copy'],
  'app.message.followUp': ['draft.queue'],
  'app.message.dequeue': ['queue.recall'],
};

/** The bindings in force; what cannot be used is told by `onNotice`, one sentence each, and left out. */
export function bindingsOf(host: Host, config: LoadedConfig, onNotice: (text: string) => void): KeyBindings {
  const { bindings, problems } = checkBindings([...fromJson(host, onNotice), ...config.keys]);
  for (const problem of problems) onNotice(problem);
  return bindings;
}

/** The entries of keybindings.json: ids of pi's or ours, a key or a list of keys each. */
function fromJson(host: Host, onNotice: (text: string) => void): readonly BindingEntry[] {
  const path = join(configDir(host), 'keybindings.json');
  let source: string | null;
  try {
    source = readTextIfPresent(path);
  } catch (thrown) {
    onNotice(`${path} cannot be read: ${fileTrouble(thrown)}`);
    return [];
  }
  if (source === null) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch (thrown) {
    onNotice(`${path}${lineOfError(source, thrown)} is not JSON and is ignored: ${visibleLine(messageOf(thrown))}`);
    return [];
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    onNotice(`${path} must be an object of actions and their keys; it is ignored`);
    return [];
  }
  const text = source;
  return Object.entries(parsed).flatMap(([id, value]) => {
    const where = `${path}:${lineOfKey(text, id)}: ${id}`;
    const keys = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string')) {
      onNotice(`${where} must be a key or a list of keys, such as "ctrl+o"`);
      return [];
    }
    const actions = Object.hasOwn(piActions, id) ? (piActions[id] ?? []) : [id];
    // Of pi's ids those are left out that name what is not here: no fault of the file.
    if (actions.length === 1 && actions[0] === id && /^(?:tui|app)\./.test(id)) return [];
    return actions.map((action) => ({ action, keys: keys.filter((key) => key !== ''), where }));
  });
}

function lineOfKey(source: string, id: string): number {
  const at = source.indexOf(JSON.stringify(id));
  return source.slice(0, Math.max(0, at)).split('\n').length;
}

/** V8 tells the offset, not always the line. */
function lineOfError(source: string, thrown: unknown): string {
  const at = /at position (\d+)/.exec(messageOf(thrown))?.[1];
  return at === undefined ? '' : `:${source.slice(0, Number(at)).split('\n').length}`;
}
