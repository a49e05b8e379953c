/** All prompt templates of a run: the person's own first, then those of a trusted folder; of two with a name the first counts. */

import { dirname, join } from 'node:path';
import { messageOf } from '../base/errors.js';
import { readdirSync } from '../base/files.js';
import type { ProjectFile } from '../config/project-files.js';
import { readOwnFile } from './own-file.js';
import { type PromptTemplate, type TemplateCandidate, templateOf } from './template.js';

/** No template is larger (bytes). */
const LARGEST = 256 * 1024;

/** Those that can be used, and what is wrong with others. */
export interface Templates {
  readonly templates: readonly PromptTemplate[];
  readonly faults: readonly string[];
}

/** `own`: the person's folder of them. `taken`: names of built-in commands, which count before all. Never rejects. */
export async function collectTemplates(
  own: string,
  found: readonly ProjectFile[],
  taken: () => Promise<readonly string[]>,
): Promise<Templates> {
  const templates: PromptTemplate[] = [];
  const faults: string[] = [];
  const candidates = [...ownTemplates(own, faults), ...projectTemplates(found)];
  const builtIn = candidates.length === 0 ? [] : await taken();
  for (const candidate of candidates) {
    const { template, faults: theirs } = await templateOf(candidate);
    faults.push(...theirs);
    if (template === null) continue;
    const { name, path } = template;
    const first = templates.find((of) => of.name === name);
    if (builtIn.includes(name)) faults.push(`${path}: /${name} is a command of this program; call the file something else`);
    else if (first !== undefined) faults.push(`${path}: there is a template "${name}" already, ${first.path}; this one is left out`);
    else templates.push(template);
  }
  return { templates, faults };
}

function ownTemplates(folder: string, faults: string[]): readonly TemplateCandidate[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    try {
      const read = readOwnFile(path, LARGEST);
      if (read === null) return [];
      if (read.size <= LARGEST) return [{ path, source: read.text }];
      faults.push(`${path}: it is larger than ${LARGEST / 1024} KiB; the template is left out`);
    } catch (thrown) {
      faults.push(messageOf(thrown));
    }
    return [];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return [];
  }
}

function projectTemplates(found: readonly ProjectFile[]): readonly TemplateCandidate[] {
  return found.flatMap(({ holds, path, source, top }) =>
    holds === 'template' && source !== null && path.endsWith('.md') && dirname(path) === top ? [{ path, source }] : [],
  );
}
