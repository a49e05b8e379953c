/** What is refused before anybody is asked, and what is not. */

import { defaultDenylist, refusalOf, sharedShellRefusal } from '../../lib/policy/shell-command.js';

test.each([
  'rm -rf /',
  'sudo rm  -rf   / ',
  'RM -RF /;ls',
  'mkfs.ext4 /dev/sda',
  'dd if=/dev/zero of=x',
  'shutdown now',
  ':(){ :|:& };:',
  'rm -rf /*',
])('denied: %s', (command) => expect(refusalOf(command, defaultDenylist)).toMatch(/denylist/));

test.each(['rm -rf /tmp/x', 'ls /', 'echo hello', 'printf "\\t"', "printf 'a\tb\n'"])('may be asked about: %s', (command) =>
  expect(refusalOf(command, defaultDenylist)).toBeNull(),
);

test.each(['echo \u001b[2J', 'echo a\rb', 'echo \u202egpj', 'r\u200bm x', 'echo \u009b6n', 'echo \ud800', 'echo \u007f'])(
  'hidden characters are refused with their place: %j',
  (command) => expect(refusalOf(command, [])).toMatch(/it holds/),
);

test.each([
  ...['exit 3', 'logout', 'exec bash', 'set -e', 'set -euo pipefail', 'ls\nexit', 'tmux kill-server', ' setopt errexit'],
  ...['sleep 999 & exit', 'cd /x && exit 1', 'false || exit', 'if true; then exit; fi', '{ exit; }', 'echo "a;b"; exit', '(true); exit'],
  ...[
    'case x in a) exit;; esac',
    'echo a # b\nexit',
    'while read x; do exit 1; done',
    'set -ue',
    'cat <<<word\nexit',
    'echo $((1<<2))\nexit',
  ],
])('would end the shared shell: %s', (command) => expect(sharedShellRefusal(command)).not.toBeNull());

test.each([
  '(exit 3)',
  'exit-code-test',
  '(sleep 1; exit 3)',
  'x=$(true; exit 3)',
  "trap 'exit 1; true' INT",
  'echo a; echo exit',
  'echo hi # ; exit',
  'ls # exit',
  'bash -c "true; exit 3"',
  'f() { return 7; }; f',
  "printf '; exit'",
  'echo \\; exit',
  'bash -c "exit 3"',
  'echo exit',
  'exec 3>&1',
  'exec >log',
  'cat > f <<EOF\nexit 1\nEOF',
  'tmux ls',
  'set -u',
  'set +e',
])('leaves the shared shell alone: %s', (command) => expect(sharedShellRefusal(command)).toBeNull());
