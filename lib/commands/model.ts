/** `/model`: lists and switches models. */

import { nearest } from '../base/nearest.js';
import type { ModelSummary } from '../protocol/events.js';
import { type SlashCommand, says, sends } from './command.js';

function line(profile: ModelSummary, index: number, now: ModelSummary | null): string {
  const mark = profile.profile === now?.profile ? '*' : ' ';
  return `${mark} ${index + 1}  ${profile.profile}: ${profile.model} (${profile.api}, ${profile.contextTokens} tokens)`;
}

/** Lists the profiles, or switches to one. */
export const modelCommand: SlashCommand = {
  name: 'model',
  aliases: [],
  args: '[name|number]',
  says: 'list the models, or switch to one',
  whileBusy: false,
  complete: (_typed, state) => state.profiles.map((profile) => ({ value: profile.profile, says: `${profile.model} (${profile.api})` })),
  run(args, state) {
    const { profiles, model } = state;
    if (args === '') return says(profiles.map((profile, i) => line(profile, i, model)).join('\n') || 'No models are configured.');
    const byNumber = /^\d+$/.test(args) ? profiles[Number(args) - 1] : undefined;
    const found = profiles.find((profile) => profile.profile === args) ?? byNumber;
    if (found !== undefined) return sends({ type: 'model.switch', profile: found.profile });
    const names = profiles.map((profile) => profile.profile);
    const near = nearest(args, names);
    const hint = near === null ? `Known: ${names.join(', ')}.` : `Did you mean ${near}?`;
    return says(`There is no model profile "${args}". ${hint}`, 'warning');
  },
};
