/** Native ESM: `npm test` runs jest under --experimental-vm-modules, since yargs, marked and string-width are ESM only. */

/** Suites on real servers and the matrix of shells: they take minutes and run when they are asked for (`npm run servers`, `npm run matrix`). */
const askedFor = [
  '__tests__/e2e/shared-terminal',
  '__tests__/e2e/remote',
  '__tests__/targets/ssh-',
  '__tests__/targets/container-',
  '__tests__/targets/losses',
  '__tests__/targets/takeover-elsewhere',
];
const isMatrix = process.argv.some((argument) => argument.includes('shared-terminal'));
const isAskedFor = process.argv.some((argument) => askedFor.some((suite) => argument.includes(suite)));

export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testPathIgnorePatterns: ['/node_modules/', ...(isAskedFor ? [] : askedFor.map((suite) => `/${suite}`))],
  transformIgnorePatterns: ['/node_modules/'],
  reporters: ['default', ...(isMatrix ? ['<rootDir>/__tests__/e2e/shared-terminal/cells-reporter.mjs'] : [])],
  maxWorkers: 2,
  testTimeout: 20_000,
};
