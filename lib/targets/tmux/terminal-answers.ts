/** Questions that programs ask the terminal, and what stands at the prompt when nobody has read the answers. */

/** Device attributes, status and cursor reports, version, sizes, modes, colours (xterm's ctlseqs, "Device Status Report" and others). */
const QUESTION = /\x1b(?:Z|\[(?:[>=]?0?c|\??[56]n|>[01]?q|1[48]t|\?[\d;]*\$p)|\](?:4;\d+|1\d);\?)/;
const ESC = 0x1b;

/**
 * What is left of an answer on the screen: a line editor swallows its beginning as a key that it does not know, a terminal that
 * echoes shows ESC as ^[.
 */
const ANSWERS =
  /^(?:(?:\^\[)?\[?[?>]?[\d;]*(?:[Rcnt]|\$y)|(?:\^\[)?P?>?\|tmux [\w.-]+(?:\^\[)?\\?|(?:\^\[)?\]?[\d;]*rgb:[\da-f/]+(?:\^\[\\|\^G|\\)?)+$/;

/** True when these bytes of a pane hold a question that the terminal answers. */
export function asksTerminal(bytes: Buffer): boolean {
  return bytes.includes(ESC) && QUESTION.test(bytes.toString('latin1'));
}

/** Longer than any question that is looked for. */
const LONGEST = 32;

/** Finds questions in bytes that come in pieces. */
export class QuestionSearch {
  #rest = Buffer.alloc(0);

  /** True when these bytes, behind those before them, hold a question. */
  data(bytes: Buffer): boolean {
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    // Only what has begun is kept: most output has no escape at its end.
    const begins = joined.lastIndexOf(ESC);
    this.#rest = begins >= 0 && joined.length - begins < LONGEST ? Buffer.from(joined.subarray(begins)) : Buffer.alloc(0);
    return asksTerminal(joined);
  }
}

/** A line editor that draws such a line again while it is still coming shows the same pieces twice, and the first of them unfinished. */
const PIECES = /^(?:[\d;?>[]|\^\[|(?<=\d)(?:[Rcnt]|\$y))+$/;

/**
 * True when a text at the prompt, escape sequences and control characters left out, is nothing but such answers, whole or on their way:
 * then also digits alone count, which are no command.
 */
export function isAnswers(text: string): boolean {
  return ANSWERS.test(text) || PIECES.test(text);
}
