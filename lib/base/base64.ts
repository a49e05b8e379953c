/** Base64 as RFC 4648 has it, without line ends. */

/** True for the text of one byte at least. It goes through once: a pattern would run out of stack in megabytes. */
export function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/]/);
  return text !== '' && end !== 0 && (end === -1 || ['=', '=='].includes(text.slice(end)));
}
