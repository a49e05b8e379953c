/** The part of the command line that is about traces. */

import type { Argv } from 'yargs';
import { type Invocation, type Options, traceViews } from './cli-options.js';

type Parsed = Readonly<Record<string, unknown>>;
type Refuse = (complaint: string) => Invocation;

const speedLimits = { least: 0.1, most: 100 } as const;
/** Sizes of a recording (cells). */
const sizeLimits = { least: 10, most: 1000 } as const;

/** The words behind a command that reads a trace. */
export function tracePositionals<T>(grammar: Argv<T>, hasView: boolean): Argv<T> {
  const viewed = hasView ? (grammar.positional('view', { type: 'string', describe: `${traceViews.join(', ')}.` }) as Argv<T>) : grammar;
  return viewed.positional('file', { type: 'string', describe: 'What --trace wrote.' }) as Argv<T>;
}

/** What a command line of `trace` asks for; `refuse` makes a complaint of it. */
export function ofTrace(parsed: Parsed, refuse: Refuse): Invocation {
  const file = String(parsed['file'] ?? '');
  const view = traceViews.find((known) => known === parsed['view']);
  if (view === undefined) return refuse(`trace needs one of ${traceViews.join(', ')}, and a file`);
  if (file === '') return refuse(`trace ${view} needs a file: what --trace wrote`);
  const turn = parsed['turn'];
  if (view === 'replay' && turn === undefined) return refuse('trace replay needs --turn N');
  if (view !== 'replay' && turn !== undefined) return refuse(`trace ${view} takes no --turn`);
  if (turn !== undefined && !/^[1-9]\d{0,8}$/.test(String(turn))) return refuse('--turn must be a number from 1 on');
  return { kind: 'trace', view, file, turn: turn === undefined ? null : Number(turn), json: parsed['json'] === true };
}

/** The same for `traceui`. */
export function ofTraceui(parsed: Parsed, options: Options, refuse: Refuse): Invocation {
  const file = String(parsed['file'] ?? '');
  if (file === '') return refuse('traceui needs a file: what --trace wrote');
  return { kind: 'traceui', options, file, stream: parsed['stream'] === true };
}

/** The same for `replay`. */
export function ofReplay(parsed: Parsed, options: Options, refuse: Refuse): Invocation {
  const file = String(parsed['file'] ?? '');
  if (file === '') return refuse('replay needs a file: what --trace wrote');
  const cast = typeof parsed['cast'] === 'string' ? parsed['cast'] : null;
  const speed = parsed['speed'] === undefined ? 1 : Number(parsed['speed']);
  if (!(speed >= speedLimits.least && speed <= speedLimits.most))
    return refuse(`--speed must be a number from ${speedLimits.least} to ${speedLimits.most}`);
  const { size } = parsed;
  if (size !== undefined && cast === null) return refuse('--size needs --cast');
  if (cast !== null && parsed['speed'] !== undefined)
    return refuse('--speed and --cast exclude each other: whoever plays the file chooses the speed');
  const [, cols = 0, rows = 0] = (/^(\d{1,4})x(\d{1,4})$/i.exec(String(size ?? '')) ?? []).map(Number);
  const isSized = [cols, rows].every((cells) => cells >= sizeLimits.least && cells <= sizeLimits.most);
  if (size !== undefined && !isSized) return refuse('--size must be columns and rows, for example 120x40');
  return { kind: 'replay', options, file, speed, cast, size: size === undefined ? null : { cols, rows } };
}
