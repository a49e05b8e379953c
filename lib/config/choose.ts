/** Which profiles there are, and which one a run starts with. */

import { BuddyError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { bundledProfiles, checkedBaseUrl, demoProfile, type ModelProfile, OPENAI_BASE_URL, profileNamed, providerOf } from './profiles.js';

/** A value somebody gave from outside the file, and how they gave it (`BUDDY_MODEL`, `--model`). */
export interface Given {
  readonly value: string;
  readonly by: string;
}

/** What decides the first profile. */
export interface Choice {
  /** Profiles of the file, in its order. */
  readonly configured: readonly ModelProfile[];
  /** `agent.model` of the file, '' when it says nothing, and where it says it. */
  readonly named: Given | null;
  readonly model: Given | null;
  readonly baseUrl: Given | null;
  /** Bundled profiles whose key is in the environment. */
  readonly usable: readonly ModelProfile[];
  /** Name of the variable that holds a key for this run. */
  readonly keyEnv: string | null;
}

/** All profiles, the chosen one among them, and what to tell the user about the choice. */
export interface Chosen {
  readonly profiles: readonly ModelProfile[];
  readonly profile: ModelProfile;
  readonly warnings: readonly string[];
}

/** Name of the profile that environment and command line describe by themselves. */
const CUSTOM = 'custom';

function list(profiles: readonly ModelProfile[]): string {
  return profiles.map((profile) => profile.name).join(', ');
}

function starting(choice: Choice, all: readonly ModelProfile[]): ModelProfile {
  const { named } = choice;
  if (named === null) return choice.configured[0] ?? demoProfile;
  const found = all.find((profile) => profile.name === named.value);
  if (found !== undefined) return found;
  const meant = nearest(
    named.value,
    all.map((profile) => profile.name),
  );
  throw new BuddyError(
    'config.value',
    `${named.by}: there is no model profile "${named.value}"${meant === null ? '' : `; did you mean "${meant}"?`}`,
    {
      hint: `There are: ${list(all)}.`,
    },
  );
}

/** Decides. Throws `config.value` when a name or an address leads nowhere. */
export function chooseProfile(choice: Choice): Chosen {
  const own = choice.configured.length > 0 ? choice.configured : bundledProfiles;
  const all = own.some((profile) => profile.name === demoProfile.name) ? own : [...own, demoProfile];
  const { model, baseUrl, keyEnv } = choice;
  const byName = model === null ? undefined : (profileNamed(model.value, all) ?? undefined);
  const start = byName ?? starting(choice, all);
  const modelId = byName === undefined ? model : null;
  if (modelId === null && baseUrl === null && (keyEnv === null || start.api === 'demo'))
    return { profiles: all.includes(start) ? all : [start, ...all], profile: start, warnings: [] };

  const warnings: string[] = [];
  let profile = start;
  if (start.api === 'demo' && byName === undefined) {
    const server = modelId === null || baseUrl !== null || keyEnv !== null ? null : serverFor(modelId.value, choice.usable);
    if (server === null && (modelId === null || (baseUrl === null && keyEnv === null))) throw missingHalf(choice, all);
    profile = server ?? { ...demoProfile, name: CUSTOM, api: 'chat', baseUrl: OPENAI_BASE_URL, provider: 'openai', contextLimit: null };
  } else if (modelId !== null) {
    const meant = nearest(modelId.value, [...all.map((of) => of.name)]);
    if (meant !== null)
      warnings.push(
        `${modelId.by}: "${modelId.value}" is no profile, so it is asked for as a model of ${start.name}; did you mean "${meant}"?`,
      );
  }
  if (profile.api === 'demo') return { profiles: all, profile, warnings };
  if (modelId !== null) profile = { ...profile, model: modelId.value };
  if (baseUrl !== null) {
    const checked = checkedBaseUrl(baseUrl.value, baseUrl.by);
    profile = { ...profile, baseUrl: checked, provider: providerOf(checked) };
  }
  if (keyEnv !== null) profile = { ...profile, key: { kind: 'env', name: keyEnv } };
  const others = all.filter((of) => of.name !== profile.name);
  return { profiles: [profile, ...others], profile, warnings };
}

/** The server that a model is asked for when no file names one: a router for names with a slash, else who has a key. */
function serverFor(model: string, usable: readonly ModelProfile[]): ModelProfile | null {
  const isRouted = (profile: ModelProfile) => profile.provider === 'openrouter';
  const own = usable.find((profile) => !isRouted(profile) && model.startsWith(profile.model.split('-')[0] ?? ''));
  const routed = usable.find(isRouted);
  const server = model.includes('/') ? routed : (own ?? usable.find((profile) => !isRouted(profile)) ?? routed);
  return server === undefined ? null : { ...server, name: CUSTOM };
}

/** A model without a server, or a server without a model. */
function missingHalf(choice: Choice, all: readonly ModelProfile[]): BuddyError {
  if (choice.model !== null) {
    const meant = nearest(
      choice.model.value,
      all.map((profile) => profile.name),
    );
    const guess = meant === null ? '' : `; did you mean "${meant}"?`;
    return new BuddyError('config.value', `${choice.model.by}: there is no model profile "${choice.model.value}"${guess}`, {
      hint: `There are: ${list(all)}. For a model of another server give --base-url too.`,
    });
  }
  return new BuddyError('config.value', `${choice.baseUrl?.by ?? ''} is given, but not which model to ask for`, {
    hint: 'Add -m MODEL, or set BUDDY_MODEL.',
  });
}
