/** Native ESM: `npm test` runs jest under --experimental-vm-modules, since yargs, marked and string-width are ESM only. */

/** It takes minutes and runs when it is asked for: `npm run matrix`. */
const matrix = '__tests__/e2e/shared-terminal';
const isAskedFor = process.argv.some((argument) => argument.includes(matrix));

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
  testPathIgnorePatterns: ['/node_modules/', ...(isAskedFor ? [] : [`/${matrix}/`])],
  transformIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
  testTimeout: 20_000,
};
