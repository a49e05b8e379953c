/** Commands that come to the same are known again, and others are not taken for them. */

import { likenessOf } from '../../lib/policy/likeness.js';
import { judge } from '../support/judging.js';

const like = (command: string) => likenessOf(judge(command).commands);

test.each([
  'rm -rf build',
  'rm -fr build',
  'rm -r -f  "build"',
  'sudo rm -rf build',
  'sudo -n env X=1 rm -rf build',
  'bash -c "rm -rf build"',
  'cd /srv && rm -rf build',
  'echo cleaning; rm -rf build',
  '/bin/rm -rf build',
  'timeout 5 rm -rf -- build',
])('%s', (command) => expect(like(command)).toEqual(['rm -f -r build']));

test.each([
  ['rm -rf other', 'rm -f -r other'],
  ['rm build', 'rm build'],
  ['mv build other', 'mv build other'],
  ['mv other build', 'mv other build'],
  ['cat ./a//b/', 'cat a/b'],
  ['curl https://x.example//a', 'curl https://x.example//a'],
  ['cd /srv', 'cd /srv'],
  ['sudo -i', 'sudo -i'],
])('%s is another one', (command, normal) => expect(like(command)).toEqual([normal]));

test('of a chain each command that acts counts', () => {
  expect(like('make && rm -rf build; make')).toEqual(['make', 'rm -f -r build']);
});
