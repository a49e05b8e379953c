/** Servers of the Model Context Protocol (MCP, https://modelcontextprotocol.io), as people and front ends know them. */

/**
 * `idle`: not started yet. `waiting`: it broke down and is tried again by itself. `failed`: it is not tried again by itself. `login`: it wants
 * a login first. `off`: it is disabled.
 */
export type McpState = 'off' | 'idle' | 'starting' | 'ready' | 'waiting' | 'failed' | 'login';

/** One server. */
export interface McpServerStatus {
  readonly name: string;
  /** The file that names it. */
  readonly from: string;
  /** Its command line, or its address. */
  readonly how: string;
  readonly state: McpState;
  /** Why it is as it is, in words; '' where there is nothing to say. */
  readonly why: string;
  /** How many of each it offers. */
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  /** What is not as it was pinned, a sentence for each tool; they are not offered until they are approved. */
  readonly held: readonly string[];
}

/** What can be done to one. */
export type McpAct = (typeof mcpActs)[number];

/** All of them. */
export const mcpActs = ['start', 'restart', 'enable', 'disable', 'approve', 'login', 'logout', 'log'] as const;

/** The commands that are about them. */
export type McpCommand =
  /** How they stand now, told by `mcp.told`. */
  | { readonly type: 'mcp.tell' }
  /** Does it to that server; `mcp.logged` answers `log`. */
  | { readonly type: 'mcp.act'; readonly server: string; readonly act: McpAct };
