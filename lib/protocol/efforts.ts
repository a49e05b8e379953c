/** How much a model can be told to think. */

import type { ModelSummary } from './events.js';

/** The profile as it is in buddy.toml, whatever the effort. */
export function baseOf({ profile, variantOf }: ModelSummary): string {
  return variantOf ?? profile;
}

/** Why `model` cannot be told to think so much, with the levels that it has; null when it can. Without a level: when it has none. */
export function effortProblem(model: ModelSummary, effort?: string): string | null {
  const { efforts } = model;
  const name = `${baseOf(model)} (${model.model})`;
  if (efforts === undefined) {
    return `how much ${name} can be told to think is not known: say so with efforts in [[models_catalog]], or set reasoning_effort in its profile`;
  }
  if (efforts.length === 0) return `${name} cannot be told how much to think`;
  if (effort === undefined || efforts.includes(effort)) return null;
  return `${name} cannot be told to think "${effort}": it knows ${efforts.join(', ')}`;
}

/** The profile among `profiles` that is `model` with this effort; null when there is none. */
export function withLevel(model: ModelSummary, effort: string, profiles: readonly ModelSummary[]): ModelSummary | null {
  return profiles.find((other) => other.effort === effort && baseOf(other) === baseOf(model)) ?? null;
}
