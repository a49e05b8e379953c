/** Terminals that are known, by their TERM, to know little. What is sent to them can be seen: they print what they do not understand. */

/** DEC's own terminals and what calls itself so. */
const WITHOUT_UTF8 = /^(?:vt\d|ansi|cygwin|dumb)/;

/** The consoles of Linux and FreeBSD (`cons25`). */
const CONSOLES = /^(?:linux|cons?\d)/;

/** Does it know no UTF-8, whatever the locale says? */
export function isWithoutUtf8(term: string): boolean {
  return WITHOUT_UTF8.test(term);
}

/** Is nothing to be sent to it that terminals learned after their first years: questions, shapes of the cursor? */
export function isSimple(term: string): boolean {
  return isWithoutUtf8(term) || CONSOLES.test(term);
}
