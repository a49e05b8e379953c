/** npm start: installs and builds what is missing, then opens the dashboard. Arguments after -- go to the program. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { fail, installPackages, root, tmuxProblem } from './setup.mjs';

installPackages();
if (!build()) fail('the build failed; see above', 1);
const problem = tmuxProblem();
if (problem !== null) process.stderr.write(`buddy-tui: ${problem}\n`);
const child = spawn(process.execPath, [join(root, 'bin', 'buddy-tui.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD ?? root,
});
for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('close', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1);
});
