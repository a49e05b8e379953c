/** A line of ours comes apart as a shell would take it apart. */

import { execFileSync } from 'node:child_process';
import { shellWords } from '../../lib/base/shell-words.js';

test.each([
  'tmux -L buddy attach -t buddy-agent-mo',
  "ssh -t -p 2222 'user@the host' tmux attach",
  "a'b c'd 'it'\\''s' '' x\\ y  z",
  "printf '%s\\n' '$HOME' '`id`' '*'",
])('%s', (line) => {
  const shells = execFileSync('sh', ['-c', `set -f; for word in ${line}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' });
  expect(shellWords(line)).toEqual(shells.split('\0').slice(0, -1));
});
