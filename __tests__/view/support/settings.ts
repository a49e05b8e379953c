/** Some settings as the screen is told of them. */

import type { SettingEntry, SettingsListing } from '../../../lib/view/settings-view.js';

const plain = { hidden: null, words: [], isFlag: false, isLive: false, isWritten: false, project: null, origin: 'default' } as const;
const entry = (key: string, value: string, says: string, expected: string, more: Partial<SettingEntry> = {}): SettingEntry => ({
  ...{ ...plain, key, value, says, expected, running: value, initial: value, typed: value.replaceAll('"', '') },
  ...more,
});

const file = '/root/.config/buddy/buddy.toml';

export const listing: SettingsListing = {
  file,
  seen: 'abc',
  entries: [
    entry('agent.name', '"agent-mo"', 'Name of this agent; the managed tmux session is called buddy-<name>.', 'a string in quotes'),
    entry('agent.max_iterations', '20', 'How many requests to the model one prompt may take.', 'a whole number from 1 to 1000', {
      isLive: true,
      project: 'make it smaller',
    }),
    entry('tools.shell_confirm', 'true', 'Ask before a command runs.', 'true or false', {
      words: ['true', 'false'],
      isFlag: true,
      isWritten: true,
      origin: `${file}:12`,
      project: 'turn it on',
    }),
    entry(
      'network.api_timeout_secs',
      '77',
      'Longest silence of a model server before the request is given up, in seconds.',
      'a whole number',
      {
        origin: 'BUDDY_API_TIMEOUT_SECS',
        hidden: '9',
        isWritten: true,
      },
    ),
    entry('display.notify', '"auto"', 'How you are called when you look elsewhere.', 'one of "auto", "bell", "off"', {
      words: ['auto', 'bell', 'off'],
    }),
  ],
};
