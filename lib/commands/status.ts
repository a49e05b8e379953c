/** `/status`: one look at everything. */

import { policyText } from '../view/policy.js';
import { awaitsTrust, trustWords } from '../view/project.js';
import { costText, tokensText } from '../view/spent.js';
import { type SlashCommand, says } from './command.js';

/** Who, where, how: one look at everything. */
export const statusCommand: SlashCommand = {
  name: 'status',
  aliases: [],
  args: '',
  says: 'agent, model, target, policy, session, tasks',
  whileBusy: true,
  run(_args, state) {
    const { model, target, context, project } = state;
    const { session } = state.usage;
    const running = state.tasks.filter((task) => task.outcome === null).length;
    const used = context === null ? 'not known yet' : `${context.usedTokens} of ${context.windowTokens} tokens`;
    return says(
      [
        `agent    ${state.agent} ${state.version}`,
        `session  ${state.session}${state.kept.name === null ? '' : `, ${state.kept.name}`}`,
        `model    ${model === null ? 'none yet' : `${model.profile}: ${model.model} (${model.api})`}`,
        `target   ${target === null ? 'none yet' : `${target.label} as ${target.user}, ${target.via}, ${target.cwd}`}`,
        ...(target?.attach == null ? [] : [`attach   ${target.attach}`]),
        `config   ${project.inForce.join(', ') || 'no file: the defaults'}`,
        ...(awaitsTrust(project) && project.folder !== null ? [`folder   ${trustWords(project.folder)} /trust shows more.`] : []),
        `approve  ${policyText(state.policy, state.nowMs)}`,
        `context  ${used}`,
        `usage    ${session.requests === 0 ? 'none yet' : tokensText(session)}`,
        `cost     ${session.requests === 0 ? 'none yet' : (costText(session) ?? 'not known: this model has no price')}`,
        `tasks    ${running} running, ${state.queue.length} queued`,
      ].join('\n'),
    );
  },
};
