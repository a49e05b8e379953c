/** What a model is told that summarises a conversation: one template, rendered here and nowhere else. */

import { parseTemplate, renderTemplate, type Template } from './template.js';

/** What goes into the template. */
export interface CompactPromptValues {
  /** What the person wants kept, in their words; '' for nothing in particular. */
  readonly wishes: string;
  /** The most words that the summary may have. */
  readonly words: number;
}

/** What a placeholder becomes. */
const placeholders: Readonly<Record<string, (values: CompactPromptValues) => string>> = {
  WORDS: ({ words }) => String(words),
  WISHES_BLOCK: ({ wishes }) => (wishes.trim() === '' ? '' : `The user wants of this summary:\n${wishes.trim()}`),
};

/** Checks a template. Throws `config.template` when it holds a placeholder that nobody fills. */
export function parseCompactPrompt(text: string, path: string): Template {
  return parseTemplate(text, path, Object.keys(placeholders));
}

/** The prompt. */
export function renderCompactPrompt(template: Template, values: CompactPromptValues): string {
  return renderTemplate(template, (name) => placeholders[name]?.(values) ?? '');
}
