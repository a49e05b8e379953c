/** The grammar of a script: its simple commands, and what else its text says, as a parser for bash reads it. */

import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash';
import { type Argument, argumentOf, argumentOfAssignment } from './argument.js';

/** A file that a redirection opens. */
export interface Opened {
  readonly path: Argument;
  readonly writes: boolean;
}

/** Takes what is found in a script. */
export interface Sink {
  /** Why nobody can tell what it does. */
  readonly doubts: Set<string>;
  /** What its words say without quotes. */
  readonly texts: string[];
  readonly opened: Opened[];
  /** `NAME=value` of each variable that is given a value. */
  readonly assigned: Set<string>;
  /** One simple command: the program first, then its arguments. */
  command(argv: readonly Argument[], redirections: readonly Redirection[]): void;
}

/** The doubt about what does not parse. */
export const UNREAD = 'it could not be read for certain';
/** The doubt about `'$(x)'` where a shell could read it once more: in arithmetic, in `test -v`, in a prompt. */
export const QUOTED_CODE = 'it holds code in quotes that a shell could come to run';

/** Finds all of a script. Throws only what the parser throws. */
export function walk(source: string, sink: Sink): void {
  visit(parse(source), sink);
}

function visit(node: SyntaxNode, sink: Sink): void {
  switch (node.type) {
    case 'Script':
      // The parser goes on behind an error, in a way that may be no shell's.
      if ('errors' in node && (node.errors?.length ?? 0) > 0) sink.doubts.add(UNREAD);
      break;
    case 'Command':
      visitCommand(node, sink);
      return;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined && node.text.replace(/^[$<>`(]+|[)`]$/g, '').trim() !== '') sink.doubts.add(UNREAD);
      break;
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      if (node.expression === undefined && /[`$]/.test('body' in node ? node.body : node.text.slice(2))) sink.doubts.add(UNREAD);
      break;
    case 'Assignment':
      sink.assigned.add(argumentOfAssignment(node).text);
      break;
    case 'Word': {
      const argument = argumentOf(node);
      sink.texts.push(argument.text);
      if (argument.holdsCode) sink.doubts.add(QUOTED_CODE);
      break;
    }
    case 'HereDocBody':
      sink.texts.push(node.text);
      break;
    case 'Transform':
      // ${x@P} runs what the text of x asks for.
      sink.doubts.add('it has the shell read the value of a variable as code');
      break;
    case 'Redirect': {
      const path = node.target === undefined ? null : argumentOf(node.target);
      if (path !== null && !(path.known && /^(?:\d+-?|-)$/.test(path.text)))
        sink.opened.push({ path, writes: !node.operator.startsWith('<') || node.operator === '<>' });
      break;
    }
    default:
      break;
  }
  forEachChild(node, (child) => visit(child, sink));
}

function visitCommand(command: Command, sink: Sink): void {
  const argv: Argument[] = [];
  for (const part of command.prefix) visit(part, sink);
  for (const part of command.name === undefined ? command.suffix : [command.name, ...command.suffix]) {
    if (part.type !== 'Word' && part.type !== 'Assignment') {
      visit(part, sink);
      continue;
    }
    const argument = part.type === 'Word' ? argumentOf(part) : argumentOfAssignment(part);
    argv.push(argument);
    sink.texts.push(argument.text);
    if (part.type === 'Assignment') sink.assigned.add(argument.text);
    // What is quoted in it is judged with the program that gets it.
    forEachChild(part, (child) => (child.type === 'Word' ? forEachChild(child, (inner) => visit(inner, sink)) : visit(child, sink)));
  }
  if (argv.length > 0) sink.command(argv, command.redirects);
}
