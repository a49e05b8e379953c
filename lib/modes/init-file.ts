/** The buddy.toml that `init` writes: what was found, and where the rest is described. */

import type { ProfileTable } from './init-findings.js';

/** What goes into the file. */
export interface InitChoice {
  /** By profile name, in this order. */
  readonly profiles: readonly (readonly [string, ProfileTable])[];
  /** The profile to start with; `demo` when nothing real can be used yet. */
  readonly start: string;
}

/** The text of the file. */
export function initFile({ profiles, start }: InitChoice): string {
  const tables = profiles.map(([name, table]) =>
    [`[models.${name}]`, ...Object.entries(table).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join('\n'),
  );
  return [
    '# Configuration of buddy-tui, written by "buddy-tui init". Everything that can stand here: man buddy.toml',
    '',
    ...(tables.length === 0 ? ['# No model was found. One with a key looks so:', ...EXAMPLE, ''] : tables),
    '[agent]',
    `model = ${JSON.stringify(start)}${' '.repeat(Math.max(1, 24 - start.length))}# the profile to start with; -m NAME and /model choose another`,
    '',
    '[tools]',
    'shell_confirm = true            # ask before a command runs',
    '',
  ].join('\n');
}

const EXAMPLE: readonly string[] = [
  '# [models.work]',
  '# api_base_url = "https://api.openai.com/v1"',
  '# api = "responses"',
  '# api_key_env = "OPENAI_API_KEY"',
  '# model = "gpt-5.3-codex"',
];
