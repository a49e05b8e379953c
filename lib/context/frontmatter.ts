/** The YAML between two lines of `---` at the head of a markdown file. Whoever wrote it: it makes values, or sentences about what is wrong. */

/** More than this is no head of a file (characters). */
const LARGEST = 16 * 1024;
/** So many repetitions of something named are resolved. */
const MOST_ALIASES = 16;

/** What stands under a key, and in which line of the file, from 1. */
export interface Entry {
  readonly value: unknown;
  readonly line: number;
}

/** Something that is wrong, for people. */
export interface Fault {
  readonly line: number;
  readonly says: string;
}

/** A file in its two parts. */
export interface Headed {
  /** Null when there is no head, or none that can be used. */
  readonly entries: ReadonlyMap<string, Entry> | null;
  /** What comes behind it, lines ended by LF. */
  readonly body: string;
  /** Why there is none, when something looks like one. */
  readonly fault: Fault | null;
}

const FENCE = /^---[ \t]*$/;

/** Never rejects. The parser is loaded with the first file that has a head. */
export async function parseFrontmatter(source: string): Promise<Headed> {
  const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const lines = text.split('\n');
  if (!FENCE.test(lines[0] ?? '')) return { entries: null, body: text, fault: null };
  const end = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (end < 0) return { entries: null, body: text, fault: { line: 1, says: 'the frontmatter has no end: a line with --- is missing' } };
  const head = lines.slice(1, end).join('\n');
  const body = lines
    .slice(end + 1)
    .join('\n')
    .replace(/^\n+/, '');
  if (head.length > LARGEST)
    return { entries: null, body, fault: { line: 1, says: `the frontmatter is larger than ${LARGEST / 1024} KiB` } };
  const read = await entriesOf(head);
  return 'says' in read ? { entries: null, body, fault: read } : { entries: read, body, fault: null };
}

async function entriesOf(head: string): Promise<ReadonlyMap<string, Entry> | Fault> {
  const { isMap, isNode, isScalar, LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + 1;
  try {
    const document = parseDocument(head, { lineCounter, prettyErrors: false, uniqueKeys: true, logLevel: 'silent' });
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) return { line: lineAt(error.pos[0]), says: `this is not YAML that can be read: ${reasonOf(error)}` };
    if (document.contents === null) return new Map();
    if (!isMap(document.contents)) return { line: 2, says: 'the frontmatter must be keys with values' };
    const entries = new Map<string, Entry>();
    for (const { key, value } of document.contents.items) {
      if (!isScalar(key) || typeof key.value !== 'string') return { line: 2, says: 'the keys of the frontmatter must be words' };
      const line = lineAt(key.range?.[0] ?? 0);
      entries.set(key.value, { value: isNode(value) ? value.toJS(document, { maxAliasCount: MOST_ALIASES, mapAsMap: true }) : null, line });
    }
    return entries;
  } catch {
    // Too deep for the parser, or too many repetitions of what has a name.
    return { line: 2, says: 'the frontmatter is too entangled to be read' };
  }
}

/** The parser's, but for what most people get wrong. */
function reasonOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'a text with a colon and a blank in it must stand in quotes';
  return message.replace(/\s+/g, ' ').trim();
}
