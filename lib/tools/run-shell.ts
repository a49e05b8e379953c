/** run_shell: one command in the shared shell that the user watches. */

import { formatElapsed } from '../base/duration.js';
import { likenessOf } from '../policy/likeness.js';
import { sharedShellRefusal } from '../policy/shell-command.js';
import type { ModelClaim } from '../protocol/approvals.js';
import type { CommandOutput, PaneSelector, RunOutcome, Wait } from '../targets/target.js';
import { asObject, claim, claimNames, claimSchema, text } from './arguments.js';
import { computedFrom, refusalIn } from './judged.js';
import { paneWords, selected, selector, selectorSchema } from './pane-selector.js';
import type { Tool, ToolContext, ToolResult } from './tool.js';
import { parseWait } from './wait.js';

interface RunShellArguments {
  readonly command: string;
  readonly wait: Wait;
  readonly at: PaneSelector | null;
  readonly claim: ModelClaim;
}

export const runShell: Tool<RunShellArguments> = {
  name: 'run_shell',
  aliases: ['shell', 'bash'],
  description:
    'Runs a command in the shared terminal, which the user watches. Working directory and environment persist between calls. ' +
    'Do not use exit, exec or set -e in it; use a subshell. With wait false it goes on in the background.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command, exactly as the shell shall read it.' },
      wait: {
        description:
          'true (default): until it ends. false: do not wait. A number of seconds or "10m": at most so long, then it goes on by itself.',
        anyOf: [{ type: 'boolean' }, { type: 'number' }, { type: 'string' }],
      },
      ...selectorSchema,
      ...claimSchema,
    },
    required: ['command', ...claimNames],
  },
  needsTmux: false,
  usesTerminal: true,
  startsCommand: true,
  parallel: false,
  parse(args) {
    const given = asObject(args);
    return { command: text(given, 'command'), wait: parseWait(given['wait']), at: selector(given), claim: claim(given) };
  },
  preview: (args) => args.command,
  review(args, context) {
    const judged = context.judge(args.command);
    const refusal = refusalIn(judged) ?? (context.target.tmux === null ? null : sharedShellRefusal(args.command));
    if (refusal !== null) return { kind: 'deny', reason: refusal };
    const pane = selected(context.target.tmux, args.at);
    const title = pane === null ? 'run' : `run in ${paneWords(pane)}`;
    const like = `run_shell ${pane?.pane ?? ''} ${args.command}`;
    const act = { kind: 'command', command: args.command } as const;
    const asked = { kind: 'ask', title, body: args.command, like, act, pane: pane?.pane, claim: args.claim } as const;
    return {
      ...asked,
      computed: computedFrom(judged),
      alike: likenessOf(judged.commands),
      caution: judged.caution,
      narrows: judged.narrows,
      needsYes: context.confirmShell,
    };
  },
  commands: (args, { judge }) => judge(args.command),
  withBody: (args, body) => ({ ...args, command: body }),
  async run(args, context) {
    const outcome = await context.target.run(
      { command: args.command, wait: args.wait, pane: selected(context.target.tmux, args.at)?.pane },
      { signal: context.signal, onChunk: (chunk) => context.report(chunk) },
    );
    return resultOf(outcome, context);
  },
};

function resultOf(outcome: RunOutcome, context: ToolContext): ToolResult {
  switch (outcome.kind) {
    case 'exited':
      return {
        result: {
          status: 'exited',
          exit_code: outcome.exitCode,
          ...outputFields(outcome.output),
          elapsed_ms: Math.round(outcome.elapsedMs),
        },
        isError: false,
        text: outcome.output.text,
        summary: `exit ${outcome.exitCode} · ${formatElapsed(outcome.elapsedMs)} · ${sizeOf(outcome.output)}`,
        exitCode: outcome.exitCode,
      };
    case 'running': {
      const task = context.background(outcome.background);
      const note =
        outcome.reason === 'detached'
          ? `It runs in the background as task ${task}; you will be told when it has ended.`
          : `The time is over and it still runs, now as background task ${task}; you will be told when it has ended.`;
      return {
        result: { status: 'running', task, note, ...outputFields(outcome.output) },
        isError: false,
        text: outcome.output.text,
        summary: `background #${task}`,
        exitCode: null,
      };
    }
    case 'cancelled': {
      const task = outcome.survivor === undefined ? null : context.background(outcome.survivor);
      const note =
        task === null
          ? 'The user interrupted it and it has ended.'
          : `The user interrupted it, but it survived Ctrl-C, SIGTERM and SIGKILL and goes on as task ${task}.`;
      return {
        result: {
          status: 'cancelled',
          note,
          ...outputFields(outcome.output),
        },
        isError: true,
        text: outcome.output.text,
        summary: task === null ? 'interrupted' : `interrupted, goes on as #${task}`,
        exitCode: null,
      };
    }
    case 'lost':
      return {
        result: { status: 'lost', error: outcome.reason, ...outputFields(outcome.output) },
        isError: true,
        text: [outcome.output.text, outcome.reason].filter((part) => part !== '').join('\n'),
        summary: 'shell lost',
        exitCode: null,
      };
    case 'refused':
      return {
        result: { status: 'refused', pane_state: outcome.state.kind, error: outcome.reason, screen: outcome.screen },
        isError: true,
        text: outcome.reason,
        summary: `not run: pane is ${outcome.state.kind}`,
        exitCode: null,
      };
  }
}

function outputFields(output: CommandOutput): Readonly<Record<string, unknown>> {
  if (!output.truncated) return { output: output.text };
  return { output: output.text, truncated: true, output_bytes: output.totalBytes, output_lines: output.totalLines, ...restOf(output) };
}

function restOf({ id }: CommandOutput): Readonly<Record<string, unknown>> {
  return id === undefined ? {} : { output_id: id, note: 'The whole output can be read with read_output.' };
}

function sizeOf(output: CommandOutput): string {
  if (output.totalBytes === 0) return 'no output';
  return output.totalLines === 1 ? '1 line' : `${output.totalLines} lines`;
}
