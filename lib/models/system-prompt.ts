/** The system prompt: one template, rendered here and nowhere else. */

import { BuddyError } from '../base/errors.js';

/** What goes into the template. */
export interface SystemPromptValues {
  /** Where commands run when that is not this machine, else null. */
  readonly remoteTarget: string | null;
  readonly toolNames: readonly string[];
  /** `agent.system_prompt`: instructions of the operator, '' for none. */
  readonly customInstructions: string;
}

/** What a placeholder becomes. */
const placeholders: Readonly<Record<string, (values: SystemPromptValues) => string>> = {
  REMOTE_TARGET_NOTE: ({ remoteTarget }) =>
    remoteTarget === null ? '' : `Commands and files are those of ${remoteTarget}, not of the machine that this program runs on.`,
  ENABLED_TOOLS_LIST: ({ toolNames }) => (toolNames.length === 0 ? '- none' : toolNames.map((name) => `- ${name}`).join('\n')),
  CUSTOM_INSTRUCTIONS_BLOCK: ({ customInstructions }) =>
    customInstructions.trim() === ''
      ? ''
      : `## Instructions of the operator\nThey rank below everything above.\n\n${customInstructions.trim()}`,
};

/** A checked template. */
export interface SystemPromptTemplate {
  readonly text: string;
}

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** Checks a template. Throws `config.template` when it holds a placeholder that nobody fills. */
export function parseSystemPrompt(text: string, path: string): SystemPromptTemplate {
  for (const found of text.matchAll(PLACEHOLDER)) {
    if (Object.hasOwn(placeholders, found[1] ?? '')) continue;
    const line = text.slice(0, found.index).split('\n').length;
    throw new BuddyError('config.template', `${path}:${line}: the placeholder ${found[0]} is unknown`, {
      hint: `There are: ${Object.keys(placeholders)
        .map((name) => `{{${name}}}`)
        .join(', ')}.`,
    });
  }
  return { text };
}

/** The prompt. Values are put in once and never read for placeholders themselves; what is empty leaves no gap. */
export function renderSystemPrompt(template: SystemPromptTemplate, values: SystemPromptValues): string {
  const filled = template.text.replace(PLACEHOLDER, (_, name: string) => placeholders[name]?.(values) ?? '');
  return `${filled.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}
