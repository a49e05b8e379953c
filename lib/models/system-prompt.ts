/** The system prompt: one template, rendered here and nowhere else. */

import { parseTemplate, renderTemplate, type Template } from './template.js';

/** What goes into the template. */
export interface SystemPromptValues {
  /** Where commands run when that is not this machine, else null. */
  readonly remoteTarget: string | null;
  readonly toolNames: readonly string[];
  /** `agent.system_prompt`: instructions of the operator, '' for none. */
  readonly customInstructions: string;
  /** What takes the place of the general parts; null: they stay. What the tools and safety require stays whatever it says. */
  readonly general?: string | null;
}

/** A general part of the template, between marks on lines of their own. */
const GENERAL = /^\{\{GENERAL\}\}\n([\s\S]*?)^\{\{END_GENERAL\}\}\n/gm;

/** What a placeholder becomes. */
const placeholders: Readonly<Record<string, (values: SystemPromptValues) => string>> = {
  REMOTE_TARGET_NOTE: ({ remoteTarget }) =>
    remoteTarget === null ? '' : `Commands and files are those of ${remoteTarget}, not of the machine that this program runs on.`,
  ENABLED_TOOLS_LIST: ({ toolNames }) => (toolNames.length === 0 ? '- none' : toolNames.map((name) => `- ${name}`).join('\n')),
  OTHER_GENERAL: ({ general }) => general ?? '',
  CUSTOM_INSTRUCTIONS_BLOCK: ({ customInstructions }) =>
    customInstructions.trim() === ''
      ? ''
      : `## Instructions of the operator\nThey rank below everything above.\n\n${customInstructions.trim()}`,
};

/** Checks a template. Throws `config.template` when it holds a placeholder that nobody fills. */
export function parseSystemPrompt(text: string, path: string): Template {
  return parseTemplate(text, path, ['GENERAL', 'END_GENERAL', ...Object.keys(placeholders)]);
}

/** The prompt. */
export function renderSystemPrompt(template: Template, values: SystemPromptValues): string {
  let isFirst = true;
  const text = template.text.replace(GENERAL, (_, own: string) => {
    if (typeof values.general !== 'string') return own;
    const other = isFirst ? '{{OTHER_GENERAL}}\n' : '';
    isFirst = false;
    return other;
  });
  return renderTemplate({ text }, (name) => placeholders[name]?.(values) ?? '');
}
