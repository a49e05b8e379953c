/** time: what time the harness has. */

import { asObject } from './arguments.js';
import type { Tool } from './tool.js';

export const time: Tool<null> = {
  name: 'time',
  aliases: [],
  description: 'Tells the current date and time of the machine that the agent runs on (UTC).',
  parameters: { type: 'object', properties: { why: { type: 'string', description: 'Why this is needed.' } } },
  needsTmux: false,
  parallel: true,
  parse(args) {
    asObject(args ?? {});
    return null;
  },
  preview: () => 'now',
  review: () => ({ kind: 'allow' }),
  run(_args, context) {
    const nowMs = context.clock.now();
    const date = new Date(nowMs);
    const iso = date.toISOString();
    const result = {
      unix_seconds: Math.floor(nowMs / 1000),
      unix_millis: nowMs,
      iso_8601_utc: iso.replace(/\.\d+Z$/, 'Z'),
      iso_8601_millis_utc: iso,
      rfc_2822_utc: date.toUTCString().replace('GMT', '+0000'),
      date_utc: iso.slice(0, 10),
      time_utc: iso.slice(11, 19),
    };
    return Promise.resolve({ result, isError: false, text: iso, summary: iso, exitCode: null });
  },
};
