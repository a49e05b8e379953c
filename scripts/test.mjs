/** npm test: installs what the tests need, builds, runs jest, and lists what the tests left behind: nothing. Arguments after -- go to jest. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { leftSince, otherRuns, traces } from './hygiene.mjs';
import { fail, installPackages, installTestPackages, installTestPrograms, root, tmuxProblem } from './setup.mjs';

installPackages();
installTestPrograms();
installTestPackages();
const problem = tmuxProblem();
if (problem !== null) fail(problem);
if (!build()) fail('the build failed; see above', 1);
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const before = traces();
let others = otherRuns();
const run = spawnSync(process.execPath, [...flags, jest, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exitCode = run.status ?? 1;
others += otherRuns();
const left = await leftSince(before);
const told = left.length === 0 ? ' nothing' : `\n${left.map((trace) => `  ${trace}`).join('\n')}`;
process.stderr.write(`\nLeft behind by the tests (processes, sockets, files, containers):${told}\n`);
if (left.length > 0 && others > 0)
  process.stderr.write('Other tests ran on this machine meanwhile, so this may be theirs: it is not judged.\n');
else if (left.length > 0) process.exitCode = 1;
