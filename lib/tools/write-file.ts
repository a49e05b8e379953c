/** write_file: replaces a file on the target, whole or not at all. */

import { posix } from 'node:path';
import { formatBytes } from '../base/duration.js';
import { hiddenIn } from '../base/visible.js';
import { writeRefusal } from '../policy/write-path.js';
import { asObject, text } from './arguments.js';
import type { Tool } from './tool.js';

interface WriteFileArguments {
  readonly path: string;
  readonly content: string;
  readonly why: string;
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
  review(args, context) {
    const hidden = hiddenIn(args.path);
    if (hidden !== null) return { kind: 'deny', reason: `the path is refused because ${hidden}` };
    const path = absolute(args.path, context.target.summary.cwd, context.homeDir);
    const refusal = writeRefusal(path, context);
    if (refusal !== null) return { kind: 'deny', reason: refusal };
    return {
      kind: 'ask',
      title: `write ${path}`,
      body: args.content,
      like: `write_file ${path}`,
      claim: { risk: 'medium', mutation: true, privesc: false, why: args.why },
    };
  },
  withBody: (args, body) => ({ ...args, content: body }),
  async run(args, context) {
    const bytes = Buffer.from(args.content, 'utf8');
    await context.target.writeFile(args.path, bytes, context.signal);
    return {
      result: { path: args.path, bytes_written: bytes.length },
      isError: false,
      text: `wrote ${args.path}`,
      summary: `wrote ${formatBytes(bytes.length)}`,
      exitCode: null,
    };
  },
};

function absolute(path: string, cwd: string, homeDir: string): string {
  if (path === '~' || path.startsWith('~/')) return posix.normalize(`${homeDir}${path.slice(1)}`);
  return posix.resolve(cwd, path);
}
