/** Words of a tmux command line, quoted so that any byte but NUL arrives intact. */

const SAFE = /^[A-Za-z0-9_./:=%@+,-]$/;

/** `text` as one double-quoted tmux word: everything outside a small safe set as three octal digits (tmux(1), PARSING SYNTAX). */
export function tmuxWord(text: string): string {
  return tmuxBytes(Buffer.from(text, 'utf8'));
}

/** The same for bytes. A NUL cannot be said and is left out. */
export function tmuxBytes(bytes: Uint8Array): string {
  let quoted = '"';
  for (const byte of bytes) {
    if (byte === 0) continue;
    const character = String.fromCharCode(byte);
    quoted += byte < 0x80 && SAFE.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `${quoted}"`;
}

/** `text` as it must stand in a tmux format to come out literally. */
export function formatLiteral(text: string): string {
  return text.replaceAll('#', '##').replaceAll(',', '#,').replaceAll('}', '#}');
}

/** `text` as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
