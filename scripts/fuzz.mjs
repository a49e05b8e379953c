/**
 * npm run fuzz -- SEED COUNT: random happenings on the screen (keys, mouse, pastes, sizes, events of the runtime, hostile text), first with
 * the keys of every day, then with vi keys. Without numbers a seed of the day and 100 000. What fails names its seed; the same seed fails again.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fail, root } from './setup.mjs';

const [seed = String(Math.floor(Date.now() / 86_400_000) * 1000), count = '100000'] = process.argv.slice(2);
if (!/^\d+$/.test(seed) || !/^\d+$/.test(count)) fail('usage: npm run fuzz -- SEED COUNT, two whole numbers');
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const env = { ...process.env, BUDDY_FUZZ: `${seed} ${count}` };
const run = spawnSync(process.execPath, [...flags, jest, '__tests__/screen/fuzz'], { cwd: root, stdio: 'inherit', env });
process.exitCode = run.status ?? 1;
