/** Native ESM: `npm test` runs jest under --experimental-vm-modules, since yargs, marked and string-width are ESM only. */

/** The matrix of shells takes ten minutes and runs when it is asked for (`npm run matrix`). */
const MATRIX = '__tests__/e2e/shared-terminal';
const isMatrix = process.argv.some((argument) => argument.includes(MATRIX));

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
  testPathIgnorePatterns: ['/node_modules/', ...(isMatrix ? [] : [`/${MATRIX}`])],
  transformIgnorePatterns: ['/node_modules/'],
  reporters: ['default', ...(isMatrix ? ['<rootDir>/__tests__/e2e/shared-terminal/cells-reporter.mjs'] : [])],
  maxWorkers: 2,
  testTimeout: 20_000,
};
