/** What files with instructions are called; of several in a folder the first counts. */
export const contextNames = ['AGENTS.md', 'CLAUDE.md', 'AGENT.md'] as const;
