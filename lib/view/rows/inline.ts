/** Markdown inside a line (marked's inline tokens) to styled segments. */

import type { Token } from 'marked';
import { plain, type Segment, type Style } from '../../base/style.js';
import { type Visible, visible } from '../../base/visible.js';
import type { Theme } from '../theme.js';
import { decodeEntities } from './entities.js';
import { flat, type Line } from './lines.js';

/** Both looks together; the inner one wins where they differ. */
export function over(outer: Style, inner: Style): Style {
  if (outer === plain) return inner;
  return inner === plain ? outer : { ...outer, ...inner };
}

/** The segments of inline tokens, split where the author broke the line. */
export function inlineLines(tokens: readonly Token[], theme: Theme, base: Style): readonly Line[] {
  const lines: Segment[][] = [[]];
  const push = (text: string, style: Style) => {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (part !== '') lines[lines.length - 1]?.push({ text: flat(part), style });
    }
  };
  walk(tokens, theme, base, push);
  return lines.map((segments) => ({ segments }));
}

function walk(tokens: readonly Token[], theme: Theme, base: Style, push: (text: string, style: Style) => void): void {
  const { styles } = theme;
  for (const token of tokens) {
    switch (token.type) {
      case 'strong':
        walk(token.tokens ?? [], theme, over(base, styles.markdown_strong), push);
        break;
      case 'em':
        walk(token.tokens ?? [], theme, over(base, styles.markdown_emphasis), push);
        break;
      case 'del':
        walk(token.tokens ?? [], theme, over(base, styles.markdown_strike), push);
        break;
      case 'codespan':
        push(token['text'], over(base, styles.markdown_code));
        break;
      case 'br':
        push('\n', base);
        break;
      case 'link':
        link(token, theme, base, push);
        break;
      case 'image':
        push(`[image: ${decodeEntities(token['text'])}]`, over(base, styles.markdown_link));
        push(` (${target(token)})`, over(base, styles.markdown_link_target));
        break;
      case 'checkbox':
        break;
      case 'text':
        if (token.tokens !== undefined) walk(token.tokens, theme, base, push);
        else push(decodeEntities(token['text']), base);
        break;
      case 'escape':
        push(token['text'], base);
        break;
      case 'html':
        // Tables have no other way to break a line.
        push(/^<br *\/?>$/i.test(token.raw.trim()) ? '\n' : token.raw, base);
        break;
      default:
        push(token.raw, base);
    }
  }
}

/** The words of a link and, unless they are the same, where it really goes: the target is never hidden. */
function link(token: Token, theme: Theme, base: Style, push: (text: string, style: Style) => void): void {
  const goal = target(token);
  // What is said of the words is what is seen of them.
  const words = visible('text' in token ? decodeEntities(String(token.text)) : '');
  walk('tokens' in token ? (token.tokens ?? []) : [], theme, over(base, theme.styles.markdown_link), push);
  if (goal === words || goal === `mailto:${words}`) return;
  push(` (${goal})`, over(base, theme.styles.markdown_link_target));
}

/** Where it goes, every character of it to be seen. */
function target(token: Token): Visible {
  return visible('href' in token ? String(token.href) : '', 'exact');
}
