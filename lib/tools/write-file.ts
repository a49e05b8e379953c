/** write_file: replaces a file on the target, whole or not at all. */

import { posix } from 'node:path';
import { formatBytes } from '../base/duration.js';
import { BuddyError, isAbort } from '../base/errors.js';
import { hiddenIn } from '../base/visible.js';
import { writeRefusal } from '../policy/write-path.js';
import type { ExecutionTarget } from '../targets/target.js';
import { asObject, text } from './arguments.js';
import { changedSince, type FoundFile, lookAt } from './found-file.js';
import { doubtsOfPath } from './judged.js';
import type { Tool } from './tool.js';

/** What is to be written, and what was looked up for the question about it. */
export interface WriteFileArguments {
  readonly path: string;
  readonly content: string;
  readonly why: string;
  /** What the file held when it was asked about; undefined: nobody looked, or it cannot be shown. */
  readonly found?: FoundFile | undefined;
  /** Where it was to land when it was asked about: links followed. */
  readonly lands?: string;
  /** The allowed folders with their links followed. */
  readonly allowed?: readonly string[];
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
    return { ...args, found: isRefused ? undefined : await lookAt(target, args.path, signal), lands, allowed };
  },
  review(args, context) {
    const hidden = hiddenIn(args.path);
    if (hidden !== null) return { kind: 'deny', reason: `the path is refused because ${hidden}` };
    const path = absolute(args.path, context.target.summary.cwd, context.homeDir);
    const refusal = writeRefusal(path, context);
    const { lands = path, allowed = context.allowedPaths } = args;
    const real = lands === path ? null : writeRefusal(lands, { ...context, allowedPaths: allowed });
    if (refusal !== null || real !== null) return { kind: 'deny', reason: refusal ?? `${path} leads to ${lands}: ${real}` };
    return {
      kind: 'ask',
      title: `write ${path}${lands === path ? '' : `, which is ${lands}`}`,
      body: args.content,
      like: `write_file ${path} ${lands}`,
      act: { kind: 'write', path: lands },
      narrows: doubtsOfPath('tee', lands, context.judge),
      claim: { risk: 'medium', mutation: true, privesc: false, why: args.why },
      diff: args.found === undefined ? undefined : { path, before: args.found.text, after: args.content },
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
    // Where it was asked about, and not where a link may lead by now.
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

/** Links followed; a path that cannot be followed is judged by writing. */
async function landingOf(target: ExecutionTarget, path: string, signal: AbortSignal): Promise<string> {
  try {
    return await target.realPath(path, signal);
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    return absolute(path, target.summary.cwd, target.homeDir);
  }
}

function absolute(path: string, cwd: string, homeDir: string): string {
  if (path === '~' || path.startsWith('~/')) return posix.normalize(`${homeDir}${path.slice(1)}`);
  return posix.resolve(cwd, path);
}
