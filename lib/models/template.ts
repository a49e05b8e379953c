/** Prompts in files: text with {{PLACEHOLDERS}}. */

import { BuddyError } from '../base/errors.js';

/** A checked template. */
export interface Template {
  readonly text: string;
}

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** Checks a template. Throws `config.template` when it holds a placeholder that is not in `names`. */
export function parseTemplate(text: string, path: string, names: readonly string[]): Template {
  for (const found of text.matchAll(PLACEHOLDER)) {
    if (names.includes(found[1] ?? '')) continue;
    const line = text.slice(0, found.index).split('\n').length;
    throw new BuddyError('config.template', `${path}:${line}: the placeholder ${found[0]} is unknown`, {
      hint: `There are: ${names.map((name) => `{{${name}}}`).join(', ')}.`,
    });
  }
  return { text };
}

/** The text with its values. They are put in once and never read for placeholders themselves; what is empty leaves no gap. */
export function renderTemplate(template: Template, value: (name: string) => string): string {
  const filled = template.text.replace(PLACEHOLDER, (_, name: string) => value(name));
  return `${filled.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}
