#!/usr/bin/env node
/** The street door: checks Node, answers --version at once, and hands the process to the program. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
const least = manifest.engines.node.replace('>=', '');
const program = join(packageDir, 'dist', 'bundle', 'main.js');

function newerOrSame(version, wanted) {
  const [a, b] = [version, wanted].map((text) => text.split('.').map(Number));
  for (let index = 0; index < 3; index++) {
    if (a[index] !== b[index]) return a[index] > b[index];
  }
  return true;
}

function refuse(sentence) {
  process.stderr.write(`buddy-tui: ${sentence}\n`);
  process.exitCode = 2;
}

const argument = process.argv[2];
if (!newerOrSame(process.versions.node, least)) {
  refuse(`Node ${process.versions.node} is too old: install Node ${least} or newer.`);
} else if (process.argv.length === 3 && (argument === '--version' || argument === '-V')) {
  process.stdout.write(`${manifest.version}\n`);
} else if (!existsSync(program)) {
  refuse('it has not been built yet: run "npm start" in its folder, or "npm run build".');
} else {
  const { main } = await import(pathToFileURL(program).href);
  await main(process, { packageDir, version: manifest.version });
}
