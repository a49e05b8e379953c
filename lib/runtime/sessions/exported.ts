/** A session as a file for people: markdown, a page for a browser, or its own lines. Pure. */

import { formatBytes } from '../../base/duration.js';
import { visible, visibleLine } from '../../base/visible.js';
import type { RuntimeEvent } from '../../protocol/events.js';
import type { ExportFormat } from '../../protocol/sessions.js';
import type { SessionHeader } from './header.js';
import type { SessionRecord } from './records.js';
import { restored } from './restored.js';
import type { DrawSession } from './session-drawing.js';

/** One thing that was on the screen. Nothing in it can drive a terminal. */
interface Part {
  readonly kind: 'you' | 'answer' | 'call' | 'note';
  readonly text: string;
  /** What a call gave. */
  readonly output: string;
}

/** What draws a session, and how large. */
interface Drawing {
  readonly draw?: DrawSession | undefined;
  readonly size?: Parameters<DrawSession>[2];
}

/** The session in that format. `lines` gives its file, asked for by the format that is that. Throws when one is to be drawn and nothing can. */
export function exportedText(
  format: ExportFormat,
  header: SessionHeader,
  records: readonly SessionRecord[],
  lines: () => string,
  { draw, size }: Drawing = {},
): string {
  if (format === 'jsonl') return lines();
  const { name, past } = restored(records);
  const title = visibleLine(name ?? `session ${header.session}`);
  if (format === 'cast') {
    if (draw === undefined) throw new Error('there is no screen here to draw it on');
    return draw(title, past, size);
  }
  const about = `${new Date(header.createdMs).toISOString()} · ${visibleLine(header.target)} · ${visibleLine(header.cwd)}`;
  const parts = past.flatMap(({ event }) => partOf(event) ?? []);
  return format === 'md' ? markdown(title, about, parts) : page(title, about, parts);
}

function partOf(event: RuntimeEvent): Part | null {
  switch (event.type) {
    case 'task.started':
      return event.kind === 'prompt' ? part('you', event.text) : null;
    case 'task.steered':
      return part('you', event.text);
    case 'task.attached':
      return part('note', event.attached.map(({ name, bytes }) => `+ ${name} ${formatBytes(bytes)}`).join(', '));
    case 'model.answered':
      if (event.message.text.trim() === '') return null;
      return part('answer', event.message.incomplete ? `${event.message.text.trimEnd()} …` : event.message.text);
    case 'tool.requested':
      return part('call', `${event.name}  ${event.preview}`);
    case 'tool.ended':
      return part('note', event.summary, event.text);
    case 'task.ended':
      return event.error === null ? null : part('note', event.error.message);
    case 'context.compacted':
      return part('note', `${madeRoom(event.trimmed === true)}: ${event.tokensBefore} tokens became ${event.tokensAfter}.`);
    default:
      return null;
  }
}

function madeRoom(isTrimmed: boolean): string {
  return isTrimmed ? 'Old results were left out' : 'What came before was summarised';
}

function part(kind: Part['kind'], text: string, output = ''): Part {
  return { kind, text: visible(text.trimEnd()), output: visible(output.trimEnd()) };
}

function markdown(title: string, about: string, parts: readonly Part[]): string {
  const body = parts.map(({ kind, text, output }) => {
    const shown = output === '' ? '' : `\n\n${fenced(output)}`;
    if (kind === 'you') return `> ${text.replaceAll('\n', '\n> ')}`;
    if (kind === 'call') return fenced(text);
    return kind === 'answer' ? closed(text) : `*${text.replaceAll('\n', ' ')}*${shown}`;
  });
  return `${[`# ${title}`, about, ...body].join('\n\n')}\n`;
}

/** With the end of a code block that was never ended: what follows the answer would be in it (CommonMark 4.5). */
function closed(text: string): string {
  let open = '';
  for (const line of text.split('\n')) {
    const [, fence = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === '') open = fence.startsWith('`') && rest.includes('`') ? '' : fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open === '' ? text : `${text}\n${open}`;
}

/** As a code block whose fence is longer than any in the text (CommonMark 4.5). */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^ {0,3}(`{3,})/gm)].map(([, ticks = '']) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const STYLE =
  'body{max-width:60em;margin:2em auto;padding:0 1em;font:1em/1.5 sans-serif;color:#222;background:#fff}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.8em 0}.you{font-weight:bold}' +
  '.call,.output{font-family:monospace;background:#f3f3f3;padding:.4em .6em}.note{color:#666}';

/** Whole in itself: no script, and nothing is loaded from anywhere. */
function page(title: string, about: string, parts: readonly Part[]): string {
  const body = parts.map(({ kind, text, output }) => {
    const shown = output === '' ? '' : `<pre class="output">${escaped(output)}</pre>\n`;
    return `<pre class="${kind}">${escaped(text)}</pre>\n${shown}`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p class="note">${escaped(about)}</p>
${body.join('')}</body>
</html>
`;
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character);
}
