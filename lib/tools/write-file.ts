/** write_file: replaces a file on the target, whole or not at all. */

import { formatBytes } from '../base/duration.js';
import { BuddyError } from '../base/errors.js';
import { hiddenIn } from '../base/visible.js';
import { MASK } from '../policy/redaction.js';
import { writeRefusal } from '../policy/write-path.js';
import { asObject, text } from './arguments.js';
import { changedSince, type FoundFile, lookAt } from './found-file.js';
import { doubtsOfPath } from './judged.js';
import { absolute, landingOf } from './landing.js';
import type { Tool } from './tool.js';

/** What is to be written, and what was looked up for the question about it. */
export interface WriteFileArguments {
  readonly path: string;
  readonly content: string;
  readonly why: string;
  /** What the file held when it was asked about; undefined: nobody looked, or it cannot be read. */
  readonly found?: FoundFile | undefined;
  /** Where it was to land when it was asked about: links followed. */
  readonly lands?: string;
  /** The allowed folders with their links followed. */
  readonly allowed?: readonly string[];
  /** How large a file is still looked at as a whole (bytes); left out: one that can be shown. */
  readonly largest?: number;
}

export const writeFileTool: Tool<WriteFileArguments> = {
  name: 'write_file',
  aliases: ['write'],
  description: 'Writes a file on the target, replacing what is there. Missing folders are made; an existing file keeps its mode.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, or relative to the working directory of the shared shell.' },
      content: { type: 'string', description: 'The whole new content.' },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['path', 'content', 'why'],
  },
  needsTmux: false,
  parallel: false,
  parse(args) {
    const given = asObject(args);
    return { path: text(given, 'path'), content: text(given, 'content', true), why: text(given, 'why') };
  },
  preview: (args) => `${args.path} (${formatBytes(Buffer.byteLength(args.content))})`,
  async prepare(args, { target, allowedPaths, homeDir }, signal) {
    const lands = await landingOf(target, args.path, signal);
    const roots = await Promise.all(allowedPaths.map((root) => target.realPath(root, signal).catch(() => root)));
    const allowed = [...allowedPaths, ...roots];
    // What may not be written is not read either.
    const isRefused = writeRefusal(lands, { homeDir, allowedPaths: allowed }) !== null;
    return { ...args, found: isRefused ? undefined : await lookAt(target, args.path, signal, args.largest), lands, allowed };
  },
  review(args, context) {
    const hidden = hiddenIn(args.path);
    if (hidden !== null) return { kind: 'deny', reason: `the path is refused because ${hidden}` };
    const path = absolute(args.path, context.target.summary.cwd, context.homeDir);
    const refusal = writeRefusal(path, context);
    const { lands = path, allowed = context.allowedPaths } = args;
    const real = lands === path ? null : writeRefusal(lands, { ...context, allowedPaths: allowed });
    if (refusal !== null || real !== null) return { kind: 'deny', reason: refusal ?? `${path} leads to ${lands}: ${real}` };
    const ofPath = [path, lands].flatMap((of) => doubtsOfPath('tee', of, context.judge));
    const doubts = [...new Set(ofPath), ...(masksIn(args.content) > masksIn(args.found?.text ?? '') ? [MASKED] : [])];
    // What would be asked about is not told without a question either: not even that it is the same.
    if (isSame(args) && doubts.length === 0) return { kind: 'allow' };
    return {
      kind: 'ask',
      title: `write ${path}${lands === path ? '' : `, which is ${lands}`}${otherNames(args.found)}`,
      body: args.content,
      like: `write_file ${path} ${lands}`,
      act: { kind: 'write', path: lands },
      claim: { risk: 'medium', mutation: true, privesc: false, why: args.why },
      ...(doubts.length === 0 ? {} : { computed: { risk: 'high', mutation: true, privesc: false, network: false, reasons: doubts } }),
      // As for a command that writes it. And what else is written to under another name nobody has judged.
      caution: doubts.length === 0 && otherNames(args.found) === '' ? 'policy' : 'user',
      diff: args.found?.text === undefined ? undefined : { path, before: args.found.text, after: args.content },
    };
  },
  withBody: (args, body) => ({ ...args, content: body }),
  async run(args, context) {
    const bytes = Buffer.from(args.content, 'utf8');
    if (args.lands !== undefined && (await landingOf(context.target, args.path, context.signal)) !== args.lands) {
      throw new BuddyError('tool.stale', `${args.path} leads somewhere else than when the user was asked; nothing was written`, {
        hint: 'Make the call anew',
      });
    }
    if (args.found !== undefined && (await changedSince(args.found, context.target, args.path, context.signal))) {
      throw new BuddyError('tool.stale', `${args.path} has been changed since the user was asked; nothing was written`, {
        hint: 'Read it again and make the call anew',
      });
    }
    if (isSame(args)) {
      const text = `${args.path} has that content already; nothing was written`;
      return {
        result: { path: args.path, bytes_written: 0, note: text },
        isError: false,
        text,
        summary: 'nothing to change',
        exitCode: null,
      };
    }
    // Where it was seen to lead: a link that is put in the way by now leads nowhere.
    await context.target.writeFile(args.lands ?? args.path, bytes, context.signal);
    return {
      result: { path: args.path, bytes_written: bytes.length },
      isError: false,
      text: `wrote ${args.path}`,
      summary: `wrote ${formatBytes(bytes.length)}`,
      exitCode: null,
    };
  },
};

/** Would it leave the file as it is? */
function isSame({ found, content }: WriteFileArguments): boolean {
  return found?.text === content;
}

/** In a session that goes on, what was read and written before it is known without its secrets. */
const MASKED = `it writes ${MASK}, which stands where a secret was left out of what the model was shown`;

function masksIn(text: string): number {
  return text.split(MASK).length - 1;
}

/** '' for a file that has no other name. */
function otherNames(found: FoundFile | undefined): string {
  const names = found?.names ?? 1;
  return names > 1 ? ` (it has ${names} names, hard links: the others keep the old content)` : '';
}
