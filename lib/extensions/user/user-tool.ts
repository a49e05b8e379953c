/** A tool of an extension as the runtime knows tools: checked, asked about with all its arguments, and run in its thread. */

import { BuddyError } from '../../base/errors.js';
import { asObject } from '../../tools/arguments.js';
import type { Tool, ToolResult } from '../../tools/tool.js';
import type { ManifestTool } from './manifest.js';
import { checkArguments } from './schema-check.js';

/** Runs the tool of that name; `report` is live output. */
export type RunTool = (name: string, args: unknown, signal: AbortSignal, report: (text: string) => void) => Promise<unknown>;

type Arguments = Readonly<Record<string, unknown>>;

const UNJUDGED = 'what the tool of an extension does is not judged';

/** The tool. */
export function userTool({ name, description, parameters, asks }: ManifestTool, extension: string, run: RunTool): Tool<Arguments> {
  return {
    name,
    aliases: [],
    description,
    parameters,
    needsTmux: false,
    parallel: !asks,
    parse(args) {
      const given = asObject(args);
      checkArguments(given, parameters);
      return given;
    },
    preview: (args) => JSON.stringify(args),
    review(args) {
      if (!asks) return { kind: 'allow' };
      const body = JSON.stringify(args, null, 2);
      const title = `call ${name} of extension ${extension}`;
      return { kind: 'ask', title, body, like: `extension ${extension} ${name} ${body}`, claim: null, narrows: [UNJUDGED] };
    },
    run: async (args, { signal, report }) => resultOf(await run(name, args, signal, report)),
  };
}

function resultOf(value: unknown): ToolResult {
  if (typeof value === 'string') return { result: value, isError: false, text: value, summary: sizeOf(value), exitCode: null };
  if (typeof value !== 'object' || value === null || !('result' in value))
    throw new BuddyError('extension.answer', 'the tool answered with neither a text nor { result }');
  const { result, text, summary, isError } = value as Readonly<Record<string, unknown>>;
  const shown = typeof text === 'string' ? text : typeof result === 'string' ? result : (JSON.stringify(result, null, 2) ?? '');
  return {
    result,
    isError: isError === true,
    text: shown,
    summary: typeof summary === 'string' ? summary.slice(0, 200) : sizeOf(shown),
    exitCode: null,
  };
}

function sizeOf(text: string): string {
  const lines = text.split('\n').length;
  return lines === 1 ? '1 line' : `${lines} lines`;
}
