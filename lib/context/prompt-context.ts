/** What a run knows besides its conversation: instructions, skills and prompt templates, the person's own and those of a trusted folder. */

import { join } from 'node:path';
import { Emitter } from '../base/emitter.js';
import { BuddyError, messageOf } from '../base/errors.js';
import { visibleLine, withUnseenNamed } from '../base/visible.js';
import type { FoundProject } from '../config/project.js';
import type { ProjectFile } from '../config/project-files.js';
import type { Extension } from '../extensions/extension.js';
import type { ExecutionTarget } from '../targets/target.js';
import { contextNames } from './context-names.js';
import { fitted, type InstructionFile, instructionsText, LARGEST_FILE } from './instructions.js';
import { readOwnFile } from './own-file.js';
import { ownSkills } from './own-skills.js';
import { projectSkills } from './project-skills.js';
import { readSkillTool } from './read-skill.js';
import type { Skill } from './skill.js';
import { collectSkills, listedSkills, skillCommands, skillPrompt, skillsSection, unlistedNotice } from './skills.js';
import { targetInstructions } from './target-instructions.js';
import { filledTemplate, type PromptTemplate } from './template.js';
import { collectTemplates } from './templates.js';
import { wrapped } from './wrapped.js';

/** So many sentences about what is wrong are told. */
const MOST_NOTICES = 20;

/** What is wanted, and where it is. */
export interface ContextWishes {
  /** The folder of the person's configuration. */
  readonly configDir: string;
  /** Skills that are named one by one, absolute: on the command line, and in the settings. */
  readonly namedSkills: readonly string[];
  readonly settingsSkills: readonly string[];
  /** Folders with skills of the person's own. */
  readonly skillFolders: readonly string[];
  /** `--system-prompt`, `--append-system-prompt`; null: not given. */
  readonly system: string | null;
  readonly append: string | null;
  /** Tell the model what files with instructions on this machine say. */
  readonly files: boolean;
  /** Where those of the target are read as well; null: they are not. */
  readonly remote: ExecutionTarget | null;
  /** The working folder, with what the person has said of it, as it is now. */
  project(): FoundProject;
  /** Names that no template can have. */
  builtInCommands(): Promise<readonly string[]>;
}

/** Of a file that the system prompt is made of, for people. */
export interface ToldFile {
  readonly path: string;
  readonly characters: number;
}

interface Content {
  readonly general: string | null;
  readonly append: string | null;
  readonly files: readonly InstructionFile[];
  readonly skills: readonly Skill[];
  readonly templates: readonly PromptTemplate[];
  /** Files of `general` and `append`. */
  readonly prompts: readonly ToldFile[];
}

const nothing: Content = { general: null, append: null, files: [], skills: [], templates: [], prompts: [] };

/** Call `load` once before anything else. */
export class PromptContext {
  readonly #wishes: ContextWishes;
  readonly #changed = new Emitter<void>();
  #content = nothing;
  /** What the target says; null: not asked yet. */
  #target: readonly InstructionFile[] | null = null;
  readonly extension: Extension;

  constructor(wishes: ContextWishes) {
    this.#wishes = wishes;
    const tool = readSkillTool(() => this.#content.skills);
    this.extension = {
      name: 'context',
      from: 'built in',
      tools: {
        list: () => (this.#content.skills.length === 0 ? [] : [tool]),
        ready: (signal) => this.#askTarget(signal),
      },
      commands: {
        list: () => [...skillCommands(this.#content.skills), ...templateCommands(this.#content.templates)],
        onChange: this.#changed.event,
        invoke: async (name, args) => ({ kind: 'prompt', text: this.#promptOf(name, args) }),
      },
      reload: async (signal, tell) => {
        for (const notice of await this.load(signal)) tell(notice);
      },
    };
  }

  /**
   * Reads everything anew, the person's word about the folder included, and answers sentences about what is wrong. The system prompt is
   * another one from the next request on. Rejects with an AbortError only.
   */
  async load(signal: AbortSignal): Promise<readonly string[]> {
    const { configDir, namedSkills, settingsSkills, skillFolders, files: isTold, builtInCommands, project } = this.#wishes;
    const { trust, found: all } = project();
    const found = trust === 'trusted' ? all.filter(({ source }) => source !== null) : [];
    const notices: string[] = [];
    const tell = (of: readonly string[]) => void notices.push(...of);
    const own = [...contextNames].map((name) => ownPart(join(configDir, name), notices)).find((file) => file !== null);
    const files = fitted(isTold ? [...(own === undefined ? [] : [own]), ...folderFiles(found, configDir)] : []);
    tell(files.notices);
    const seen = new Set<string>();
    const named = namedSkills.map((path) => ownSkills(path, true, seen));
    const mine = [
      ...skillFolders.map((path) => ownSkills(path, false, seen)),
      ...settingsSkills.map((path) => ownSkills(path, true, seen)),
    ];
    tell([...named, ...mine].flatMap(({ faults }) => faults));
    const skills = await collectSkills([...[...named, ...mine].flatMap(({ candidates }) => candidates), ...projectSkills(found)]);
    tell(skills.faults);
    tell(unlistedNotice(skills.skills));
    const templates = await collectTemplates(join(configDir, 'prompts'), found, builtInCommands);
    tell(templates.faults);
    signal.throwIfAborted();
    const [general, append] = [
      this.#part('SYSTEM.md', this.#wishes.system, found, tell),
      this.#part('APPEND_SYSTEM.md', this.#wishes.append, found, tell),
    ];
    this.#content = {
      ...{ general: general.text, append: append.text, files: files.files, skills: skills.skills, templates: templates.templates },
      prompts: [general, append].flatMap(({ text, path }) => (text === null || path === null ? [] : [{ path, characters: text.length }])),
    };
    this.#target = null;
    this.#changed.fire();
    // No name of a file begins a line of its own.
    const lines = notices.map((notice) => visibleLine(notice));
    return lines.length <= MOST_NOTICES
      ? lines
      : [...lines.slice(0, MOST_NOTICES), `${notices.length - MOST_NOTICES} more things are wrong with instructions, skills and templates`];
  }

  /** What takes the place of the general part of the system prompt; null: nothing does. */
  get general(): string | null {
    return this.#content.general;
  }

  /** What follows the system prompt, '' when nothing does. The same bytes until something is read anew. */
  appended(toolNames: readonly string[]): string {
    const { append, skills } = this.#content;
    const parts = [append ?? '', instructionsText(this.#files()), toolNames.includes('read_skill') ? skillsSection(skills) : ''];
    return parts.filter((part) => part.trim() !== '').join('\n\n');
  }

  /** The files of which the system prompt is made, in their order. */
  told(): readonly ToldFile[] {
    const { prompts, skills } = this.#content;
    const files = this.#files().map(({ path, text }) => ({ path, characters: text.length }));
    const offered = listedSkills(skills);
    return [
      ...[...prompts, ...files],
      ...offered.map(({ name, description, path }) => ({ path, characters: name.length + description.length + path.length })),
    ];
  }

  /** What of strangers' words the system prompt holds, as the object of "has read"; null: nothing. */
  strangers(): string | null {
    return this.#target === null || this.#target.length === 0 ? null : `the instructions of ${this.#wishes.remote?.summary.label}`;
  }

  #files(): readonly InstructionFile[] {
    const { files } = this.#content;
    return this.#target === null ? files : [...files, ...this.#target];
  }

  async #askTarget(signal: AbortSignal): Promise<void> {
    const { remote } = this.#wishes;
    if (remote === null || this.#target !== null) return;
    const found = await targetInstructions(remote, signal);
    if (found !== null) this.#target = fitted(found).files;
  }

  #promptOf(name: string, args: string): string {
    const skill = this.#content.skills.find((of) => `skill:${of.name}` === name);
    if (skill !== undefined) return skillPrompt(skill, args);
    const template = this.#content.templates.find((of) => of.name === name);
    if (template === undefined) throw new BuddyError('command.gone', 'it is not there any more');
    const text = filledTemplate(withUnseenNamed(template.body), args);
    if (text.trim() === '') throw new BuddyError('command.empty', 'with these words it says nothing', { hint: `It is ${template.path}` });
    return text;
  }

  /** The command line over the folder's over the person's. What a folder says is told as the folder's. */
  #part(
    name: 'SYSTEM.md' | 'APPEND_SYSTEM.md',
    given: string | null,
    found: readonly ProjectFile[],
    tell: (notices: readonly string[]) => void,
  ): { readonly text: string | null; readonly path: string | null } {
    if (given !== null) return { text: given, path: null };
    const theirs = found.find((file) => file.name === `.buddy/${name}`);
    const notices: string[] = [];
    const own = theirs === undefined ? ownPart(join(this.#wishes.configDir, name), notices) : null;
    const file = theirs === undefined ? own : fileOf(theirs);
    const { files, notices: cuts } = fitted(file === null ? [] : [file]);
    tell([...notices, ...cuts]);
    const [told] = files;
    if (told === undefined) return { text: null, path: null };
    const { text, path, origin } = told;
    return { text: origin === 'own' ? text.trim() : wrapped('project_instructions', { path }, text), path };
  }
}

function templateCommands(templates: readonly PromptTemplate[]) {
  return templates.map(({ name, args, description, path }) => ({ name, kind: 'template' as const, args, says: description, from: path }));
}

/** Null when there is none, or none that can be read: that is told. */
function ownPart(path: string, notices: string[]): InstructionFile | null {
  try {
    const read = readOwnFile(path, LARGEST_FILE);
    return read === null ? null : { path, origin: 'own', ...read };
  } catch (thrown) {
    notices.push(messageOf(thrown));
    return null;
  }
}

function folderFiles(found: readonly ProjectFile[], configDir: string): readonly InstructionFile[] {
  return found.filter(({ holds, path }) => holds === 'context' && !path.startsWith(`${configDir}/`)).map(fileOf);
}

function fileOf({ path, source }: ProjectFile): InstructionFile {
  const text = (source ?? '').replace(/^\ufeff/, '');
  return { path, origin: 'folder', text, size: Buffer.byteLength(text) };
}
