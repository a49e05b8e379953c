/** A tool of a server as a tool like any other: asked about with all its arguments, its result a stranger's words. */

import { visible } from '../base/visible.js';
import { asObject } from '../tools/arguments.js';
import type { Tool } from '../tools/tool.js';
import { byWhom } from '../tools/web/asked.js';
import type { ListedTool } from './listed.js';
import { type Loose, nameWords } from './loose.js';
import { resultOf } from './results.js';
import { toolName } from './tool-names.js';

/** Calls a tool of one server. */
export type CallTool = (tool: string, args: Loose, signal: AbortSignal, onProgress: (line: string) => void) => Promise<Loose>;

/** The tool for models. `launch`: the hash of how its server is started or reached. */
export function serverTool(server: string, launch: string, listed: ListedTool, call: CallTool): Tool<Loose> {
  const { name, description, schema, saysReadOnly, hash } = listed;
  const title = `call ${nameWords(name)} of the MCP server ${server}${saysReadOnly ? ' (which says that it only reads)' : ''}`;
  return {
    name: toolName(server, name),
    aliases: [],
    description,
    parameters: schema,
    needsTmux: false,
    // What it does nobody knows: one after the other.
    parallel: false,
    parse: asObject,
    preview: (args) => (Object.keys(args).length === 0 ? '' : JSON.stringify(args)),
    review: (args, { target }) => ({
      kind: 'ask',
      title: visible(`${title}${byWhom(target)}`, 'exact'),
      body: visible(JSON.stringify(args, null, 2), 'exact'),
      // A yes for the session is for what it was said to: another program of that name, or another tool, is asked about.
      like: `${toolName(server, name)} ${launch} ${hash}`,
      ofAnyBody: true,
      claim: null,
    }),
    async run(args, { signal, report }) {
      return resultOf(await call(name, args, signal, report), `MCP server ${server}`);
    },
  };
}
