/** A draft with vi keys, and commands as vim is given them: `dw`, `cwfoo<Esc>` with the real escape character. */

import { clusters } from '../../../../lib/view/editor/clusters.js';
import { insert } from '../../../../lib/view/editor/editor.js';
import { createEditor, type Editor } from '../../../../lib/view/editor/model.js';
import { isCommanding, leave, typeInto, viKey } from '../../../../lib/view/editor/vi/machine.js';
import type { VimCase, VimResult } from './vim.js';

/** The draft of a case, in normal mode. */
export function draftOfCase({ lines, line, column }: Pick<VimCase, 'lines' | 'line' | 'column'>): Editor {
  const start = createEditor([], 'vi');
  const offset = clusters(lines[line] ?? '')
    .slice(0, column)
    .join('').length;
  const written: Editor = { ...start, text: { lines, cursor: { line, offset } } };
  return { ...written, vi: written.vi === null ? null : { ...written.vi, mode: 'normal', register: { text: 'zz', linewise: false } } };
}

/** The draft after one whole command; like vim's feedkeys(), it leaves insert mode at the end. */
export function afterCommand(editor: Editor, command: string): Editor {
  let now = editor;
  for (const key of clusters(command)) {
    if (key === '\x1b') now = leave(now);
    else if (key === '\x12') now = viKey(now, 'C-r').editor;
    else if (isCommanding(now)) now = viKey(now, key === ' ' ? 'space' : key).editor;
    else now = key === '\r' ? insert(now, '\n') : typeInto(now, key);
  }
  return now.vi?.keys.length === 0 ? now : leave(now);
}

/** What vim would tell of that draft. */
export function resultOf({ text, vi }: Editor): VimResult {
  const { lines, cursor } = text;
  const column = clusters((lines[cursor.line] ?? '').slice(0, cursor.offset)).length;
  const register = vi === null ? '' : vi.register.linewise ? `${vi.register.text}\n` : vi.register.text;
  return { lines, line: cursor.line, column, register };
}
