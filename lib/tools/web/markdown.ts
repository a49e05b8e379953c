/** A part of a page as markdown for a model: what it says and where its links lead, not how it looks. */

import { type DomElement, type DomNode, isElement, plainText } from './dom.js';

/** Elements that hold nothing to read. Not NOSCRIPT: no script runs here, so it is for us. */
const SILENT: ReadonlySet<string> = new Set(
  'SCRIPT STYLE TEMPLATE IFRAME OBJECT EMBED CANVAS SVG VIDEO AUDIO SELECT BUTTON INPUT TEXTAREA DIALOG HEAD'.split(' '),
);
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER ' +
    'HR LI MAIN MENU NAV OL P PRE SECTION SUMMARY TABLE UL'
  ).split(' '),
);
/** Deeper nesting is no page that anybody wrote: the text alone is taken of it. */
const DEEPEST = 400;

interface Writing {
  /** Addresses are meant from here. */
  readonly base: string;
  readonly depth: number;
}

/** The markdown of what is in `element`; relative links become whole ones from `base` on. */
export function markdownOf(element: DomElement, base: string): string {
  return blocks(element, { base, depth: 0 })
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** What is in `parent`, block by block with empty lines between; neighbouring words are one paragraph. */
function blocks(parent: DomNode, writing: Writing): string {
  if (writing.depth > DEEPEST) return plainText(parent);
  const inner = { ...writing, depth: writing.depth + 1 };
  const done: string[] = [];
  let words = '';
  const endWords = () => {
    const said = tidy(words);
    if (said !== '') done.push(said);
    words = '';
  };
  for (const node of parent.childNodes) {
    if (isElement(node) && (BLOCKS.has(node.tagName) || holdsBlocks(node))) {
      endWords();
      const said = block(node, inner);
      if (said.trim() !== '') done.push(said);
    } else words += inline(node, inner);
  }
  endWords();
  return done.join('\n\n');
}

/** A link or a span around whole paragraphs is laid out as they are. */
function holdsBlocks(element: DomElement): boolean {
  if (SILENT.has(element.tagName)) return false;
  for (const child of element.children) if (BLOCKS.has(child.tagName)) return true;
  return false;
}

function block(element: DomElement, writing: Writing): string {
  const { tagName: tag } = element;
  if (isHidden(element)) return '';
  if (/^H[1-6]$/.test(tag)) {
    const said = tidy(inlines(element, writing)).replace(/\n/g, ' ');
    return said === '' ? '' : `${'#'.repeat(Number(tag.slice(1)))} ${said}`;
  }
  switch (tag) {
    case 'HR':
      return '---';
    case 'PRE':
      return fenced(element);
    case 'BLOCKQUOTE':
      return blocks(element, writing).replace(/^/gm, '> ');
    case 'UL':
    case 'OL':
    case 'MENU':
      return list(element, writing);
    case 'DT':
      return `**${tidy(inlines(element, writing))}**`;
    case 'DD':
      return hanging('- ', blocks(element, writing));
    case 'TABLE':
      return table(element, writing);
    default:
      return blocks(element, writing);
  }
}

function isHidden(element: DomElement): boolean {
  if (element.getAttribute('hidden') !== null || element.getAttribute('aria-hidden') === 'true') return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute('style') ?? '');
}

function fenced(element: DomElement): string {
  const code = (element.textContent ?? '').replace(/\r\n?/g, '\n').replace(/^\n|\s+$/g, '');
  if (code === '') return '';
  const classes = `${element.getAttribute('class') ?? ''} ${element.querySelector('code')?.getAttribute('class') ?? ''}`;
  const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes)?.[1] ?? '';
  const fence = '`'.repeat(Math.max(3, ...(code.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return `${fence}${language}\n${code}\n${fence}`;
}

function list(element: DomElement, writing: Writing): string {
  let number = Number(element.getAttribute('start') ?? 1) || 1;
  const items: string[] = [];
  for (const child of element.children) {
    const said = child.tagName === 'UL' || child.tagName === 'OL' ? list(child, writing) : blocks(child, writing);
    if (said.trim() === '' || isHidden(child)) continue;
    items.push(hanging(element.tagName === 'OL' ? `${number++}. ` : '- ', said));
  }
  return items.join('\n');
}

function hanging(mark: string, said: string): string {
  if (said.trim() === '') return '';
  // Items of one paragraph and a list below it stay close together.
  const close = said.replace(/\n\n(?=(?:[-*]|\d+\.) )/g, '\n');
  return mark + close.replace(/\n(?=.)/g, `\n${' '.repeat(mark.length)}`);
}

/** Tables within tables are there for the looks: they are read cell by cell. */
function table(element: DomElement, writing: Writing): string {
  const rows = rowsOf(element).map((row) => [...row.children].filter(({ tagName }) => /^T[DH]$/.test(tagName)));
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  const isLayout = width < 2 || element.querySelector('table') !== null || element.querySelector('td pre, td ul ul, td h1, td h2') !== null;
  if (isLayout) return rows.flatMap((cells) => cells.map((cell) => blocks(cell, writing)).filter(said)).join('\n\n');
  const lines = rows
    .filter((cells) => cells.length > 0)
    .map((cells) => `| ${[...cells.map((cell) => cellText(cell, writing)), ...Array(width - cells.length).fill('')].join(' | ')} |`);
  const caption = plainText(element.querySelector('caption'));
  return [...(caption === '' ? [] : [`${caption}\n`]), lines[0] ?? '', `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n');
}

/** Its own rows, not those of a table within. */
function rowsOf(element: DomElement): readonly DomElement[] {
  return [...element.children].flatMap((child) => {
    if (child.tagName === 'TR') return [child];
    return /^T(?:HEAD|BODY|FOOT)$/.test(child.tagName) ? rowsOf(child) : [];
  });
}

function said(text: string): boolean {
  return text.trim() !== '';
}

function cellText(cell: DomElement, writing: Writing): string {
  return blocks(cell, writing)
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}

function inlines(parent: DomNode, writing: Writing): string {
  if (writing.depth > DEEPEST) return plainText(parent);
  let out = '';
  for (const node of parent.childNodes) out += inline(node, { ...writing, depth: writing.depth + 1 });
  return out;
}

function inline(node: DomNode, writing: Writing): string {
  if (node.nodeType === 3) return (node.textContent ?? '').replace(/\s+/g, ' ');
  if (!isElement(node) || SILENT.has(node.tagName) || isHidden(node)) return '';
  switch (node.tagName) {
    case 'BR':
      return '\n';
    case 'IMG': {
      const alt = (node.getAttribute('alt') ?? '').trim();
      return alt === '' ? '' : `[image: ${alt}]`;
    }
    case 'CODE':
    case 'KBD':
    case 'SAMP':
    case 'TT': {
      const code = (node.textContent ?? '').replace(/\s+/g, ' ').trim();
      return code === '' ? '' : code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
    }
    case 'STRONG':
    case 'B':
      return around('**', inlines(node, writing));
    case 'EM':
    case 'I':
      return around('*', inlines(node, writing));
    case 'DEL':
    case 'S':
      return around('~~', inlines(node, writing));
    case 'A':
      return link(node, writing);
    default:
      return BLOCKS.has(node.tagName) ? ` ${inlines(node, writing)} ` : inlines(node, writing);
  }
}

/** A mark sticks to the words, and blanks stay outside. */
function around(mark: string, text: string): string {
  const words = text.trim();
  if (words === '' || words.includes('\n')) return text;
  return `${/^\s/.test(text) ? ' ' : ''}${mark}${words}${mark}${/\s$/.test(text) ? ' ' : ''}`;
}

function link(element: DomElement, writing: Writing): string {
  const text = inlines(element, writing);
  const words = text.replace(/\s+/g, ' ').trim();
  const to = (element.getAttribute('href') ?? '').trim();
  if (words === '' || to === '' || to.startsWith('#') || !URL.canParse(to, writing.base)) return text;
  const { href, protocol } = new URL(to, writing.base);
  if (!/^(https?|mailto|ftp):$/.test(protocol)) return text;
  const shown = words === href || `${words}/` === href ? `<${href}>` : `[${words}](${href.replace(/[()]/g, encodeParenthesis)})`;
  return `${/^\s/.test(text) ? ' ' : ''}${shown}${/\s$/.test(text) ? ' ' : ''}`;
}

function encodeParenthesis(sign: string): string {
  return sign === '(' ? '%28' : '%29';
}

/** One paragraph: blanks collapsed, line ends of its own kept. */
function tidy(words: string): string {
  return words
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
