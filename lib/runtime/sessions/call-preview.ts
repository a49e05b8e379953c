/** A call as people see it, where the tool that could say it is not there: of another program, or of a run that was cut off. Pure. */

/** Of a call that says nothing better: its arguments in a line (characters). */
const ARGUMENTS = 200;
/** Arguments that say what a call is about, here and in other programs. */
const TELLING = ['command', 'path', 'file_path', 'url', 'query'] as const;

/** What the call is about by its arguments, which may be no JSON; else their beginning. */
export function callPreview(argsText: string): string {
  const args = parsed(argsText);
  const told = TELLING.map((name) => args[name]).find((value) => typeof value === 'string');
  return typeof told === 'string' ? told : argsText.slice(0, ARGUMENTS);
}

function parsed(argsText: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(argsText)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
