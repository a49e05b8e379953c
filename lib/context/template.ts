/** One prompt template: a markdown file whose name is a command, and whose text takes what is written behind that. */

import { basename } from 'node:path';
import { typedWords } from '../base/shell-words.js';
import { parseFrontmatter } from './frontmatter.js';

/** What a template is called, so that it can be typed. */
const NAME = /^[\w-]+$/;
/** Of its first line so much says what it does, when it does not say so itself (characters). */
const FIRST_LINE = 60;

export interface PromptTemplate {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** As help shows what follows it. */
  readonly args: string;
  readonly body: string;
}

/** A file that may be one. */
export interface TemplateCandidate {
  readonly path: string;
  readonly source: string;
}

/** The template, when it can be used, and a sentence for each fault, which begins with file and line. Never rejects. */
export async function templateOf({
  path,
  source,
}: TemplateCandidate): Promise<{ readonly template: PromptTemplate | null; readonly faults: readonly string[] }> {
  const name = basename(path, '.md');
  if (!NAME.test(name)) {
    return { template: null, faults: [`${path}: its name must be letters, digits, - and _ to be a command; it is left out`] };
  }
  const { entries, body, fault } = await parseFrontmatter(source);
  if (fault !== null) return { template: null, faults: [`${path}:${fault.line}: ${fault.says}; the template is left out`] };
  if (body.trim() === '') return { template: null, faults: [`${path}: it says nothing; the template is left out`] };
  const faults: string[] = [];
  const words = (key: string): string => {
    const entry = entries?.get(key);
    if (entry === undefined) return '';
    if (typeof entry.value === 'string') return entry.value.replace(/\s+/g, ' ').trim();
    faults.push(`${path}:${entry.line}: ${key} must be text`);
    return '';
  };
  const description = words('description') || firstLine(body);
  return { template: { name, path, description, args: words('argument-hint'), body: body.trim() }, faults };
}

function firstLine(body: string): string {
  const line =
    body
      .split('\n')
      .find((of) => of.trim() !== '')
      ?.trim() ?? '';
  return line.length <= FIRST_LINE ? line : `${line.slice(0, FIRST_LINE).replace(/[\ud800-\udbff]$/, '')}…`;
}

const PLACE = /\$\{@:(\d+)(?::(\d+))?\}|\$(\d+)|\$@|\$ARGUMENTS/g;

/**
 * The text with `$1`, `$@`, `$ARGUMENTS`, `${@:N}` (from the N-th word on) and `${@:N:L}` (so many of them) filled in, all at once: what the
 * words say is not looked through for more. A word that is not there is nothing.
 */
export function filledTemplate(body: string, args: string): string {
  const words = typedWords(args);
  return body.replace(PLACE, (_, from?: string, length?: string, at?: string) => {
    if (at !== undefined) return words[Number(at) - 1] ?? '';
    if (from === undefined) return words.join(' ');
    const start = Math.max(0, Number(from) - 1);
    return words.slice(start, length === undefined ? undefined : start + Number(length)).join(' ');
  });
}
