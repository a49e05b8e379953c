/**
 * What the file of a trusted project may do with a setting: nothing, unless its row says otherwise, and then mostly make it stricter. Whoever
 * wrote the project is not the person who runs it.
 */

/** The column `project` of a setting's row. */
export interface ProjectRule<T> {
  /** As in `a trusted project may make it smaller`. */
  readonly says: string;
  /** What is in force when the person has `own` and the project wants `theirs`; null: that is refused. Equal values are never refused. */
  combine(own: T, theirs: T): T | null;
}

/** Any value: nothing can be lost by it. */
export function anyValue<T>(): ProjectRule<T> {
  return { says: 'set it', combine: (_own, theirs) => theirs };
}

/** A limit or a time. Where 0 may be written it means that there is no limit, which is more than any number. */
export const onlySmaller: ProjectRule<number> = {
  says: 'make it smaller',
  combine: (own, theirs) => ((theirs || Number.POSITIVE_INFINITY) <= (own || Number.POSITIVE_INFINITY) ? theirs : null),
};

/** A question that is asked. */
export const onlyOn: ProjectRule<boolean> = {
  says: 'turn it on',
  combine: (own, theirs) => (theirs || !own ? theirs : null),
};

/** A thing that the program can do or keep. */
export const onlyOff: ProjectRule<boolean> = {
  says: 'turn it off',
  combine: (own, theirs) => (!theirs || own ? theirs : null),
};

/** A list of what is forbidden: all of the person's own stays. Blank entries would forbid everything. */
export const onlyMore: ProjectRule<readonly string[]> = {
  says: 'add to it',
  combine: (own, theirs) => [...new Set([...own, ...theirs.filter((entry) => entry.trim() !== '')])],
};

/** Why a project may not, by the beginning of the key; the first that fits. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(?:models?|api|search|login|auth|network)(?:\.|$)/, 'which servers, keys and certificates are used is for you to say'],
  [/^(?:models_catalog|agent\.model|context\.compact_profile)/, 'which model is asked, and what is known of it, is for you to say'],
  [/^context\.(?:remote|skills)$/, 'whose instructions the model is given is for you to say'],
  [/^mcp/, 'a project names its servers in .mcp.json'],
  [/^limits/, 'how much may be used is for you to say'],
  [/^agent\.system_prompt$/, 'a project gives the model no instructions'],
  [/^(?:agent\.name|tmux|ssh|container)/, 'where commands run is for you to say'],
  [/^extensions\./, 'which code runs in the program is for you to say'],
  [/^tools\./, 'what the agent may reach is for you to say'],
  [/^(?:keys|themes|display|mouse|screen|editor|queue)/, 'how the program looks and is used is for you to say'],
];

/** Why a project may not set that key, in words. */
export function refusalReason(key: string): string {
  return reasons.find(([pattern]) => pattern.test(key))?.[1] ?? 'only you set this';
}
