/** Programs that a person's settings start are shown the environment without secrets. */

import { environmentOfPrograms, hostOfConnections } from '../../lib/modes/program-environment.js';
import { createSecrets } from '../../lib/policy/redaction.js';

test('what is called a secret, is one, or holds one is left out; the rest is as it is', () => {
  const env = {
    ...{ PATH: '/bin', TERM: 'xterm', EDITOR: 'vi', MONKEY: 'banana', KEYMAP: 'us', VIMINIT: 'set nu' },
    ...{ OPENAI_API_KEY: 'x', GITHUB_TOKEN: 'y', MYSQL_PASSWORD: 'z', AWS_SECRET: 'w', GPG_PASSPHRASE: 'v' },
    ...{
      HOUSE: 'canary-key-7f3a9c',
      OPTIONS: '--key=canary-key-7f3a9c',
      ENCODED: Buffer.from('user:canary-key-7f3a9c').toString('base64'),
    },
    ...{ LOOKS: 'sk-0123456789abcdefghij', HTTPS_PROXY: 'http://ann:canary-key-7f3a9c@proxy:3128', NOTHING: undefined },
  };
  expect(
    environmentOfPrograms(
      env,
      createSecrets(() => ['canary-key-7f3a9c']),
    ),
  ).toEqual({
    ...{ PATH: '/bin', TERM: 'xterm', EDITOR: 'vi', MONKEY: 'banana', KEYMAP: 'us', VIMINIT: 'set nu' },
    HTTPS_PROXY: 'http://ann:canary-key-7f3a9c@proxy:3128',
  });
});

test('ssh and the engines of containers see no key of ours, and all that they log in with', () => {
  const theirs = { PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x', SSH_AUTH_SOCK: '/run/agent', HTTPS_PROXY: 'http://ann:pw@proxy' };
  const ours = { BUDDY_API_KEY: 'a', AGENT_API_KEY: 'b', MY_MODEL: 'c', SEARCH: 'd' };
  const key = { kind: 'env', name: 'MY_MODEL' } as const;
  const config = { profiles: [{ key }, { key: null }], settings: { 'search.api_key_env': 'SEARCH' } };
  expect(hostOfConnections({ env: { ...theirs, ...ours } }, config)).toEqual({ env: theirs });
});
