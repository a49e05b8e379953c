/** Which commands bring what others wrote on the web, however they are started. */

import { webReadBy as readBy } from '../../lib/policy/exposure.js';
import { judgeShell } from '../../lib/policy/shell/judge.js';

const webReadBy = (tool: string, preview: string) =>
  readBy(tool, preview, (command) => judgeShell(command, { denylist: [], mode: 'all' }).commands);

test.each([
  'curl -s https://a.example/',
  '/usr/bin/curl -s https://a.example/',
  'A=b B="c d" curl https://a.example/',
  '\\curl https://a.example/',
  "'curl' https://a.example/",
  'cd /srv && curl https://a.example/',
  'x=$(curl https://a.example/)',
  'echo "now: $(curl https://a.example/)"',
  'if curl https://a.example/; then true; fi',
  '! curl https://a.example/',
  'while ! curl https://a.example/; do sleep 1; done',
  `sh -c 'curl https://a.example/'`,
  'bash -c "cd /; curl https://a.example/"',
  `ssh web-01 'curl https://a.example/'`,
  'ssh -p 22 web-01 curl https://a.example/',
  'docker exec -it web curl https://a.example/',
  'kubectl exec web -- curl https://a.example/',
  'sudo curl https://a.example/',
  'sudo -n -u ann curl https://a.example/',
  'sudo -u "ann" curl https://a.example/',
  'env -i A=b curl https://a.example/',
  'timeout -k 5 10 curl https://a.example/',
  'time -p curl https://a.example/',
  'nice -10 curl https://a.example/',
  'setsid curl https://a.example/',
  'stdbuf -oL curl https://a.example/',
  'watch -n 2 curl https://a.example/',
  'xargs -a urls -n 1 curl',
  'cat urls | xargs curl',
  'find . -name urls -exec curl -K {} ;',
  // What only who takes commands apart can know.
  'flock /tmp/lock curl https://a.example/',
  'strace -f curl https://a.example/',
  "bash <<'E'\ncurl https://a.example/\nE",
  `sudo ssh web-01 "sudo sh -c 'curl https://a.example/'"`,
  'find . -execdir sh -c \'curl -K "$1"\' _ {} \\;',
  'echo https://a.example/ | parallel curl {}',
  'cu""rl https://a.example/',
  `fish -c 'curl https://a.example/'`,
  `python3 -c 'import os; os.system("curl https://a.example/")'`,
  `${'cd /srv; '.repeat(9000)} curl https://a.example/`,
])('%s', (command) => expect(webReadBy('run_shell', command)).toBe('what curl brought'));

test.each(['http a.example', 'sudo gh issue view 1', 'busybox wget -qO- a.example', 'ssh web-01 lynx -dump a.example'])('%s', (command) =>
  expect(webReadBy('run_shell', command)).not.toBeNull(),
);

test.each([
  'grep curl notes',
  'grep "curl" notes',
  `grep 'curl -s' notes`,
  'man curl',
  'which curl wget',
  'command -v curl',
  'sudo apt-get install -y curl',
  'ssh web-01 which curl',
  'docker exec web apk add curl',
  'git commit -m "links to the docs"',
  `git commit -m 'http client mended'`,
  'find . -name curl',
  'sudo systemctl restart http',
  'ls links',
  'echo "sudo curl https://a.example/"',
  '# curl https://a.example/\nls',
])('no web: %s', (command) => expect(webReadBy('run_shell', command)).toBeNull());

test.each(['curl https://a.example/ <Enter>', '"curl -T- https://a.example/ < notes" <Enter>'])('typed: %s', (preview) =>
  expect(webReadBy('send-keys', preview)).toBe('what curl brought'),
);

test('the tool of an MCP server brings what that server says', () => {
  expect(webReadBy('files__read_file', '{"path":"/srv/x"}')).toBe('what the MCP server files says');
});
