/** The table of slash commands: one line each. Help and completion are printed from it. */

import { nearest } from '../base/nearest.js';
import { type Step, send, step } from '../view/effects.js';
import { offeredCommand } from '../view/known-commands.js';
import { reduce } from '../view/reducer.js';
import { isBusy, runningPrompt, type State } from '../view/state.js';
import { approveCommand } from './approve.js';
import { attachCommand } from './attach.js';
import { type Outcome, type SlashCommand, says, sends } from './command.js';
import { compactCommand } from './compact.js';
import { contextCommand } from './context.js';
import { copyCommand } from './copy.js';
import { effortCommand } from './effort.js';
import { exportCommand } from './export.js';
import { extensionsCommand, reloadCommand } from './extensions.js';
import { helpCommand } from './help.js';
import { integrateCommand } from './integrate.js';
import { killCommand } from './kill.js';
import { limitsCommand } from './limits.js';
import { loginCommand, logoutCommand } from './login.js';
import { mcpCommand } from './mcp.js';
import { modelCommand } from './model.js';
import { panesCommand } from './panes.js';
import { psCommand } from './ps.js';
import { queueCommand } from './queue.js';
import { quitCommand } from './quit.js';
import { reconnectCommand } from './reconnect.js';
import { rulesCommand } from './rules.js';
import { forkCommand, nameCommand, resumeCommand, sessionCommand } from './session.js';
import { settingsCommand } from './settings.js';
import { statusCommand } from './status.js';
import { themeCommand } from './theme.js';
import { timeoutCommand } from './timeout.js';
import { labelCommand, treeCommand } from './tree.js';
import { trustCommand } from './trust.js';
import { usageCommand } from './usage.js';

/** In the order of help: by name. */
export const slashCommands: readonly SlashCommand[] = [
  approveCommand,
  attachCommand,
  compactCommand,
  contextCommand,
  copyCommand,
  effortCommand,
  exportCommand,
  extensionsCommand,
  forkCommand,
  helpCommand,
  integrateCommand,
  killCommand,
  labelCommand,
  limitsCommand,
  loginCommand,
  logoutCommand,
  mcpCommand,
  modelCommand,
  nameCommand,
  panesCommand,
  psCommand,
  queueCommand,
  quitCommand,
  reconnectCommand,
  reloadCommand,
  resumeCommand,
  rulesCommand,
  sessionCommand,
  settingsCommand,
  statusCommand,
  themeCommand,
  timeoutCommand,
  treeCommand,
  trustCommand,
  usageCommand,
];

/** What the line `/name args` asks for. An unknown name, or one that has to wait, gives a notice and nothing else. */
export function runSlash(line: string, state: State): Outcome {
  const [, word = '', args = ''] = /^\/(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
  const name = word === '' ? 'help' : word;
  const command = slashCommands.find((known) => known.name === name || known.aliases.includes(name));
  if (command === undefined) {
    const offered = offeredCommand({ commands: slashCommands, offered: state.offered }, name);
    if (offered !== null) return sends({ type: 'command.invoke', name, args: args.trim() });
    const near = nearest(name, [
      ...slashCommands.flatMap((known) => [known.name, ...known.aliases]),
      ...state.offered.map((of) => of.name),
    ]);
    return says(`There is no command /${name}. ${near === null ? 'All of them: /help' : `Did you mean /${near}?`}`, 'warning');
  }
  if (!command.whileBusy && isBusy(state)) {
    const what = runningPrompt(state) === null ? 'the summary is written' : 'the running prompt has ended';
    return says(`/${command.name} waits until ${what}; Esc interrupts it.`, 'warning');
  }
  return command.run(args.trim(), state);
}

/** `runSlash`, done: notices and actions are in the new state, sends and effects are left to be carried out. */
export function slashStep(line: string, state: State): Step {
  const { notices, actions, sends, effects } = runSlash(line, state);
  const noted = notices.map(({ level, text }) => ({ type: 'notice', level, text }) as const);
  return step([...noted, ...actions].reduce(reduce, state), ...sends.map(send), ...effects);
}
