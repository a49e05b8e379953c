/** How the demonstration summarises a transcript: by rule, as it does everything. */

import { asObject, asText, parseJson } from '../json.js';

/** How such a request begins. */
const TRANSCRIPT = '<transcript>\n';
const CALL = /^\[call ([\w-]+)\] (.*)$/;
const EXIT_CODE = /"exit_code":(-?\d+)/;

/** The summary that `request` asks for, or null when it asks for something else. */
export function summaryFor(request: string): string | null {
  if (!request.startsWith(TRANSCRIPT)) return null;
  const done: string[] = [];
  let answered = 0;
  for (const line of request.split('\n')) {
    const [, name = '', args = ''] = CALL.exec(line) ?? [];
    const read = asObject(parseJson(args)) ?? {};
    if (name !== '') done.push(`- ${name} \`${asText(read['command']) || asText(read['path']) || args}\``);
    if (!line.startsWith('[result of ') || answered === done.length) continue;
    const exit = EXIT_CODE.exec(line)?.[1];
    if (exit !== undefined) done[answered] += `: exit code ${exit}`;
    answered++;
  }
  return ['## Done', ...(done.length === 0 ? ['Nothing but words.'] : done)].join('\n');
}
