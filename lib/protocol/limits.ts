/** The limits of everything that loops or streams: one row each. Settings, `/limits`, and the sentences when one stops something read it. */

/** One row. */
interface LimitRow {
  /** Where it is set for good. */
  readonly setting: string;
  /** What its number counts, after it. */
  readonly unit: string;
  /** What it limits, for `/limits`. */
  readonly says: string;
  /** The least and the most; 0 always means none where `mayBeNone` is true. */
  readonly least: number;
  readonly most: number;
  readonly mayBeNone: boolean;
}

function row<const S extends string>(
  setting: S,
  unit: string,
  says: string,
  least: number,
  most: number,
  mayBeNone = false,
): LimitRow & { readonly setting: S } {
  return { setting, unit, says, least, most, mayBeNone };
}

/** In the order of `/limits`. */
export const limitRows = {
  requests: row('agent.max_iterations', 'requests', 'to the model for one prompt', 1, 1000),
  minutes: row('limits.prompt_minutes', 'minutes', 'for one prompt, questions included', 1, 100_000, true),
  tokens: row('limits.session_tokens', 'tokens', 'in and out in one session', 1000, 1_000_000_000_000, true),
  cost: row('limits.session_cost', 'dollars', 'in one session, where prices are known', 0.01, 1_000_000, true),
  repeats: row('limits.repeats', 'times', 'the same call with the same result', 2, 100),
  denials: row('limits.denials', 'times', 'your no to much the same in one prompt', 1, 100, true),
  result: row('limits.result_kib', 'KiB', 'of one result for the model', 16, 100_000),
  jobs: row('limits.jobs', 'commands', 'in the background at a time', 1, 1000),
  retries: row('limits.retries', 'more tries', 'when the model server fails', 0, 20),
  wait: row('limits.retry_wait_secs', 'seconds', 'that a server may have us wait for the next try', 1, 3600),
  silence: row('network.api_timeout_secs', 'seconds', 'of silence of a model server', 1, 86_400),
  event: row('limits.stream_event_kib', 'KiB', 'of one line or event of an answer', 64, 1_000_000),
  answer: row('limits.stream_total_mib', 'MiB', 'of one answer as it comes over the line', 1, 100_000),
} as const satisfies Readonly<Record<string, LimitRow>>;

/** `cost`, `tokens`, … as people write them behind `/limits`. */
export type LimitName = keyof typeof limitRows;

/** All of them. */
export const limitNames = Object.keys(limitRows) as readonly LimitName[];

/** How a limit stands. */
export interface LimitStatus {
  readonly limit: LimitName;
  /** 0: none. */
  readonly value: number;
  /** What the settings say. */
  readonly configured: number;
  /** How much of it is used now; null where nothing is counted. */
  readonly used: number | null;
}

/** Why there cannot be such a value, or null. */
export function limitProblem(limit: LimitName, value: number): string | null {
  const { least, most, mayBeNone, unit } = limitRows[limit];
  if ((value === 0 && mayBeNone) || (value >= least && value <= most && (Number.isInteger(value) || limit === 'cost'))) return null;
  return `${limit} is a number of ${unit} from ${least} to ${most}${mayBeNone ? ', or off' : ''}`;
}

/** `20 requests`, `$2`, `no limit`. */
export function limitText(limit: LimitName, value: number): string {
  const { unit, mayBeNone } = limitRows[limit];
  if (value === 0 && mayBeNone) return 'no limit';
  if (limit === 'cost') return `$${value}`;
  return `${value} ${value === 1 ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit}`;
}
