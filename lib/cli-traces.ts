/** The part of the command line that is about traces. */

import type { Argv } from 'yargs';
import { type Invocation, traceViews } from './cli-options.js';

type Parsed = Readonly<Record<string, unknown>> & { readonly _: readonly (string | number)[] };
type Refuse = (complaint: string) => Invocation;

/** The words behind `trace`. */
export function tracePositionals<T>(grammar: Argv<T>): Argv<T> {
  return grammar
    .positional('view', { type: 'string', describe: `${traceViews.join(', ')}.` })
    .positional('file', { type: 'string', describe: 'What --trace wrote.' }) as Argv<T>;
}

/** What such a command line asks for; `refuse` makes a complaint of it. */
export function ofTraces(parsed: Parsed, refuse: Refuse): Invocation {
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
