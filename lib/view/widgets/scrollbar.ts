/** The thumbs of scrollbars, over the right borders of what they scroll. */

import type { Row } from '../../base/style.js';
import { scrollbars } from '../scrollbar.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame } from '../widget.js';
import { piece } from './pieces.js';

/** One part for each bar that is seen. */
export function scrollbarParts(state: State, theme: Theme): Frame['parts'] {
  return scrollbars(state).map(({ name, track, thumb }) => {
    const focused = name === state.focus;
    const style = name === 'approval' ? theme.styles.approval_border : focused ? theme.styles.border_focused : theme.styles.text;
    const rows = state.layouts.remember(`bar ${name}`, [style, thumb.rows], (): readonly Row[] =>
      Array.from({ length: thumb.rows }, () => ({ segments: [piece('┃', style)] })),
    );
    return { rect: { ...track, y: track.y + thumb.top, rows: thumb.rows }, rows };
  });
}
