/** MCP servers in words: their list, and what can be done to each. */

import type { McpAct, McpServerStatus, McpState } from '../protocol/mcp.js';

const stateWords: Readonly<Record<McpState, string>> = {
  off: 'disabled',
  idle: 'not started; the next prompt starts it',
  starting: 'starting',
  ready: 'ready',
  waiting: 'broke down, is tried again',
  failed: 'failed',
  login: 'wants a login',
};

/** How it stands, in a few words. */
export function mcpStateWords({ state, why, held }: McpServerStatus): string {
  const more = [...(why === '' ? [] : [why]), ...(held.length === 0 ? [] : [`${held.length} held back`])];
  return [stateWords[state], ...more].join(': ');
}

/** What it offers, in a few words; '' when it offers nothing. */
export function mcpOffers({ tools, prompts, resources }: McpServerStatus): string {
  const counted = [
    [tools, 'tool'],
    [prompts, 'prompt'],
    [resources, 'resource'],
  ] as const;
  return counted.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])).join(', ');
}

/** What a person would most likely want of it now. */
export function likelyAct({ state, held }: McpServerStatus): McpAct {
  if (held.length > 0) return 'approve';
  if (state === 'login') return 'login';
  if (state === 'off') return 'enable';
  if (state === 'idle') return 'start';
  return state === 'failed' || state === 'waiting' ? 'restart' : 'log';
}

/** All of them, for those who see no screen. */
export function mcpLines(servers: readonly McpServerStatus[]): readonly string[] {
  if (servers.length === 0) return ['There are no MCP servers. [mcp.servers.NAME] in buddy.toml names them.'];
  return servers.flatMap((server) => {
    const offers = mcpOffers(server);
    return [
      `${server.name}  ${mcpStateWords(server)}${offers === '' ? '' : `  ${offers}`}  ${server.how} (${server.from})`,
      ...server.held.map((says) => `  held back: ${says}`),
    ];
  });
}

/** The log of one, set in: what it says must not look like lines of ours. */
export function mcpLogText(server: string, lines: readonly string[]): string {
  if (lines.length === 0) return `The log of the MCP server ${server} is empty.`;
  return [`Log of the MCP server ${server}:`, ...lines.flatMap((line) => line.split(/[\r\n]+/)).map((line) => `  ${line}`)].join('\n');
}
