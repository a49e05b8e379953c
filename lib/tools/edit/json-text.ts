/** JSON that a model wrote into a text, where there should have been an object: often with real line ends and tabs in its texts. */

import { isTooDeep } from '../../base/json-depth.js';

/** The value; undefined when it is none. A fence around it and control characters inside of texts do no harm. */
export function jsonIn(text: string): unknown {
  const bare = /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  if (isTooDeep(bare)) return undefined;
  return parsed(bare) ?? parsed(withControlsEscaped(bare));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Control characters inside of quotes as JSON wants them (RFC 8259 §7); those between values stay blanks. A text without its end goes on to the
 * end: from each further quote it would be looked for anew.
 */
function withControlsEscaped(json: string): string {
  return json.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g, (quoted) =>
    quoted.replace(/[\x00-\x1f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
