/** npm test: installs what the tests need, builds, and runs jest. Arguments after -- go to jest. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { fail, installPackages, installTestPackages, installTestPrograms, root, tmuxProblem } from './setup.mjs';

installPackages();
installTestPrograms(process.argv.some((argument) => /ssh-|container-|losses|elsewhere|remote|shared-terminal/.test(argument)));
installTestPackages();
const problem = tmuxProblem();
if (problem !== null) fail(problem);
if (!build()) fail('the build failed; see above', 1);
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const run = spawnSync(process.execPath, [...flags, jest, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exitCode = run.status ?? 1;
