/** A prompt that takes three answers: calls of all sorts, one more call, a word at the end. And a target that does such work. */

import type { Spoken } from '../../models/spoken.js';
import { settle } from '../fake-clock.js';
import { exited, outputOf } from '../fake-target.js';
import { targetWithScreen } from './session.js';

function shell(command: string) {
  return JSON.stringify({ command, risk: 'low', mutation: true, privesc: false, why: 'to look' });
}

/** The answers, in order. */
export const work: readonly Spoken[] = [
  {
    reasoning: 'First I look.',
    text: ['I look ', 'at it.'],
    calls: [
      { name: 'read_file', args: ['{"path":"/a",', '"why":"to see"}'] },
      { name: 'read_file', args: ['{"path":"/gone","why":"to see"}'] },
      { name: 'run_shell', args: [shell('df -h').slice(0, 20), shell('df -h').slice(20)] },
      { name: 'run_shell', args: ['{"command":"rm'] },
    ],
  },
  { reasoning: 'Then again.', calls: [{ name: 'run_shell', args: [shell('uptime')] }] },
  { reasoning: 'So it is.', text: ['All ', 'is well.'] },
];

/** Runs each command for a moment, with output, unless it is interrupted. */
export function workshop() {
  const fake = targetWithScreen(async (_, { signal, onChunk }) => {
    onChunk('some output\n');
    await settle();
    if (signal.aborted) return { kind: 'cancelled', stopped: true, output: outputOf('some output'), elapsedMs: 5 };
    await settle();
    return exited('some output');
  });
  fake.files.set('/a', Buffer.from('this is a'));
  return fake;
}
