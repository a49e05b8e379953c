/** Extensions for tests of the whole program: the examples, and such as go wrong. */

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from './eye.js';

/** The folder of the person's own extensions. */
export function extensionFolder(home: Pick<Home, 'folder'>): string {
  const folder = join(home.folder, '.config', 'buddy', 'extensions');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Puts the examples there. */
export function installExamples(home: Pick<Home, 'folder'>): void {
  cpSync(join(process.cwd(), 'templates', 'extensions'), extensionFolder(home), { recursive: true });
}

/** Puts a module there. */
export function installExtension(home: Pick<Home, 'folder'>, name: string, source: string): void {
  writeFileSync(join(extensionFolder(home), name), source);
}

/** What goes wrong, and what people are told of it. */
export const wrong: readonly { readonly name: string; readonly source: string; readonly says: string }[] = [
  { name: 'nothing.ts', source: '', says: 'it exports nothing' },
  { name: 'other.ts', source: 'export const name = "other";', says: 'its default export is no object with a name' },
  { name: 'throws.ts', source: 'throw new Error("no luck today");', says: 'no luck today' },
  { name: 'broken.ts', source: 'export default {', says: 'broken.ts' },
  { name: 'exits.mjs', source: 'process.exit(3);', says: 'it ended itself (exit code 3)' },
  {
    name: 'late.js',
    source: 'export default { name: "late" }; setTimeout(() => Promise.reject(new Error("nobody caught it")), 10);',
    says: 'it fell: nobody caught it',
  },
  {
    name: 'greedy.js',
    source:
      'export default { name: "greedy" }; const all = []; setInterval(() => all.push(Array.from({ length: 2e5 }, (_, i) => ({ i }))), 1);',
    says: 'it needed more than 256 MB',
  },
  { name: 'loops.ts', source: 'for (;;) {}', says: 'it was not loaded after 10 s' },
  { name: 'spins.ts', source: 'export default { name: "spins" }; setTimeout(() => { for (;;) {} }, 10);', says: 'it gave no sign of life' },
  {
    name: 'liar.ts',
    source:
      'import { parentPort } from "node:worker_threads"; export default { name: "liar" }; setTimeout(() => parentPort.postMessage({ type: "answer" }), 10);',
    says: 'it sent a message that is too large or none of its kind',
  },
  {
    name: 'twice.ts',
    source:
      'import { parentPort } from "node:worker_threads"; export default { name: "twice" }; setTimeout(() => parentPort.postMessage(JSON.stringify({ type: "loaded", manifest: {} })), 10);',
    says: 'it said twice what it has',
  },
  {
    name: 'floods.ts',
    source:
      'import { parentPort } from "node:worker_threads"; export default { name: "floods" }; setTimeout(() => { for (let i = 0; i < 1e5; i++) parentPort.postMessage(JSON.stringify({ type: "log", text: "x" })); }, 10);',
    says: 'it sent more than 2000 messages in a second',
  },
  { name: 'nameless.ts', source: 'export default { hooks: {} };', says: 'the extension needs a "name"' },
  { name: 'hooked.ts', source: 'export default { name: "hooked", hooks: { before_all() {} } };', says: 'there is no hook "before_all"' },
];
