/** Rules: acts that a person has said yes to beforehand, and the words for them. What a rule covers is judged in lib/policy. */

import { formatElapsed } from '../base/duration.js';

/** What a rule is about. */
export type RuleSubject =
  /** One plain command that begins with these words; `exact`: that has these words and no others. */
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly exact: boolean }
  /** Writing that file, or any file in that folder and below. Absolute, links followed. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/** Where it counts: as that user on that target only. */
export interface RulePlace {
  /** As people know it: `this host`, `web-01 (ssh)`. */
  readonly target: string;
  readonly host: string;
  readonly user: string;
  /** The working directory, exactly; null: any. */
  readonly folder: string | null;
}

/** A rule. */
export interface Rule {
  readonly subject: RuleSubject;
  readonly place: RulePlace;
  /** It is kept for later runs; otherwise it ends with the session. */
  readonly saved: boolean;
  /** It ends so long after it was made (milliseconds), or with the session before that; left out: with the session only. */
  readonly forMs?: number;
}

/** The time of a rule that is for a time. */
export const RULE_HOUR_MS = 3_600_000;

/** A rule that is in force. */
export interface ListedRule extends Rule {
  /** `r1`, `r2`, … in the order they came. */
  readonly id: string;
  /** When it ends (clock.now()), of one that is for a time. */
  readonly untilMs?: number;
}

/** The rules that would cover what is asked, to choose one from. */
export interface RuleOffer {
  /** From the widest to the narrowest; one at least. */
  readonly subjects: readonly RuleSubject[];
  /** Which of them is proposed. */
  readonly proposed: number;
  /** From the narrowest to the widest; one at least. */
  readonly places: readonly RulePlace[];
}

/** What was chosen of an offer. */
export interface RuleChoice {
  readonly subject: number;
  readonly place: number;
  readonly saved: boolean;
  readonly forMs?: number;
}

/** How long a choice can make a rule last, in the order in which they are offered. */
export const ruleTimes: readonly Pick<RuleChoice, 'saved' | 'forMs'>[] = [
  { saved: false },
  { saved: true },
  { saved: false, forMs: RULE_HOUR_MS },
];

/** A word as a shell would read it back. */
function quoted(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word}'`;
}

/** The words of a command on one line. */
export function commandText(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** A rule's subject in a few words: `git log …`, `write in /srv/app`. */
export function subjectText(subject: RuleSubject): string {
  switch (subject.kind) {
    case 'command':
      return `${commandText(subject.words)}${subject.exact ? '' : ' …'}`;
    case 'file':
      return `write ${subject.path}`;
    case 'folder':
      return `write in ${subject.path}`;
  }
}

/** What such a rule lets through, and what it does not. */
export function letsThrough(subject: RuleSubject): string {
  switch (subject.kind) {
    case 'command':
      return subject.exact
        ? `exactly \`${commandText(subject.words)}\`, with nothing before or behind it`
        : `every command that begins with \`${commandText(subject.words)}\`; chains, redirections, substitutions, variables, wildcards ` +
            'and what the model calls high risk are still asked';
    case 'file':
      return `every write to ${subject.path}, whatever is written`;
    case 'folder':
      return `every write to a file in ${subject.path} and below; hidden files and folders in it are still asked`;
  }
}

/** Where and how long a rule counts: `this session, in /srv, as root on web-01 (ssh)`. */
export function scopeText({ place, saved, forMs }: Pick<Rule, 'place' | 'saved' | 'forMs'>): string {
  const where = place.folder === null ? '' : ` in ${place.folder},`;
  const time = forMs === RULE_HOUR_MS ? 'for an hour,' : forMs === undefined ? 'this session,' : `for ${formatElapsed(forMs)},`;
  return `${saved ? 'always,' : time}${where} as ${place.user} on ${place.target}${saved ? '; saved' : ''}`;
}

/** Can the rule hold there, in some folder? */
export function isRuleFor({ place }: Rule, target: { readonly label: string; readonly host: string; readonly user: string }): boolean {
  return place.target === target.label && place.host === target.host && place.user === target.user;
}

/** The whole rule on a line. */
export function ruleText(rule: Rule): string {
  return `${subjectText(rule.subject)} (${scopeText(rule)})`;
}

/** The rule that a choice means; null when the offer has no such part. */
export function chosenRule(offer: RuleOffer, choice: RuleChoice): Rule | null {
  const subject = offer.subjects[choice.subject];
  const place = offer.places[choice.place];
  if (
    subject === undefined ||
    place === undefined ||
    !ruleTimes.some(({ saved, forMs }) => saved === choice.saved && forMs === choice.forMs)
  )
    return null;
  return { subject, place, saved: choice.saved, ...(choice.forMs === undefined ? {} : { forMs: choice.forMs }) };
}
