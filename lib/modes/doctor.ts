/** doctor: looks at what the program needs and at what runs of it have left behind, and clears away what is provably nobody's. */

import { exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { jsonLine } from '../base/json-line.js';
import { visible } from '../base/visible.js';
import { environmentFindings } from './doctor-environment.js';
import type { DoctorRequest, Finding } from './doctor-finding.js';
import { leftoverFindings } from './doctor-leftovers.js';

/** Cells of the first columns. */
const ABOUT_CELLS = 10;
const STATE_CELLS = 8;

/** Resolves with 0 when nothing is wrong (any more), else 1. Works without a terminal. */
export async function doctor(host: Host, request: DoctorRequest): Promise<number> {
  const print = (text: string) => host.stdout.write(`${text}\n`);
  host.stdout.on('error', () => undefined);
  const environment = await environmentFindings(host, request.options);
  const found = [...environment.findings, ...(await leftoverFindings(host, environment.socket, request))];
  const isWell = found.every(({ state }) => state !== 'problem');
  if (request.json) print(jsonLine({ well: isWell, findings: found }));
  else for (const finding of found) for (const line of linesOf(finding)) print(visible(line));
  return isWell ? exitCodes.ok : exitCodes.failed;
}

function linesOf({ about, state, text, remedy }: Finding): readonly string[] {
  const blank = ' '.repeat(ABOUT_CELLS + STATE_CELLS);
  const [first = '', ...more] = [...text.split('\n'), ...(remedy === undefined ? [] : [`→ ${remedy}`])];
  return [`${about.padEnd(ABOUT_CELLS)}${state.padEnd(STATE_CELLS)}${first}`, ...more.map((line) => `${blank}${line}`)].map((line) =>
    line.trimEnd(),
  );
}
