/** Answers of every sort that servers give, good and bad. */

import type { Spoken } from '../../models/spoken.js';

function args(of: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ why: 'to see', ...of });
}

function shell(command: string): string {
  return args({ command, risk: 'low', mutation: false, privesc: false });
}

const wait = { name: 'time', args: ['{"why":"to know"}'] };

/** Answers that make calls. */
export const withCalls: readonly Spoken[] = [
  {
    reasoning: 'Three at once.',
    text: ['I read ', 'all.'],
    calls: [
      { name: 'read_file', args: [args({ path: '/a' })] },
      { name: 'read_file', args: ['{"path":"/gone",', '"why":"to see"}'] },
      { name: 'read_file', args: [args({ path: '/b' })] },
    ],
  },
  { calls: [{ name: 'run_shell', args: [shell('true')] }] },
  { reasoning: 'Will it fail?', calls: [{ name: 'run_shell', args: [shell('false')] }, wait] },
  { text: ['No.'], calls: [{ name: 'run_shell', args: [shell('rm -rf /')] }] },
  // Malformed, missing, no object, no such tool.
  { reasoning: 'Hm.', calls: [{ name: 'run_shell', args: ['{"command":"rm'] }, { name: 'time' }, { name: 'time', args: ['[1]'] }] },
  { calls: [{ name: 'functions.no such tool!', args: ['"text"'] }] },
  // Ids that are there already, that nobody else would take, twice in one answer.
  {
    text: [' '],
    calls: [
      { id: 'x', ...wait },
      { id: 'x', ...wait },
    ],
  },
  { calls: [{ id: 'functions.time:0', ...wait }] },
  { reasoning: 'Long.', calls: [{ id: `call_${'x'.repeat(90)}`, ...wait }] },
  // An emoji in two halves, and one that stays half, in words and in arguments.
  { text: ['\ud83d', '\ude00 fine'], calls: [wait] },
  { reasoning: 'Half.', text: ['half: \ud83d'], calls: [{ name: 'read_file', args: [args({ path: '/\ud83d' })] }] },
];

/** Answers that make none. */
export const withoutCalls: readonly Spoken[] = [
  { text: ['Only words.'] },
  { reasoning: 'Thought first.', text: ['Then ', 'words.'] },
  { reasoning: 'Only thoughts.' },
  {},
  { text: [' \n'] },
  { reasoning: 'Much.', text: ['Too long an'], calls: [{ name: 'run_shell', args: [shell('true')] }], cutShort: true },
  { reasoning: 'Nothing but thoughts, cut.', cutShort: true },
];
