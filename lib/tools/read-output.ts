/** read_output: what a command printed, where run_shell showed only the beginning and the end of it. */

import { formatBytes } from '../base/duration.js';
import { asObject, piece, pieceSchema, text } from './arguments.js';
import type { Tool } from './tool.js';

interface ReadOutputArguments {
  readonly output: string;
  readonly offset: number;
  readonly limit: number;
}

export const readOutput: Tool<ReadOutputArguments> = {
  name: 'read_output',
  aliases: [],
  description: 'Reads on in the output of a command that was too long to be shown whole: run_shell tells its "output_id" then.',
  parameters: {
    type: 'object',
    properties: {
      output_id: { type: 'string', description: 'As run_shell told it.' },
      ...pieceSchema,
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['output_id', 'why'],
  },
  needsTmux: false,
  parallel: true,
  parse(args) {
    const given = asObject(args);
    text(given, 'why');
    return { output: text(given, 'output_id'), ...piece(given) };
  },
  preview: (args) => `${args.output} from byte ${args.offset}`,
  review: () => ({ kind: 'allow' }),
  async run(args, context) {
    const { text: content, size, next } = await context.target.readOutput(args.output, args, context.signal);
    return {
      result: {
        output_id: args.output,
        size,
        content,
        ...(next === null ? {} : { truncated: true, note: `Read on with offset ${next}.` }),
      },
      isError: false,
      text: content,
      summary: `from ${args.offset} of ${formatBytes(size)}`,
      exitCode: null,
    };
  },
};
