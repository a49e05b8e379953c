/** Finds files, exports and packages that nobody uses. */
export default {
  entry: ['lib/main.ts', 'scripts/**/*.mjs', '__tests__/**/*.{test.ts,mjs}'],
  project: ['lib/**/*.ts', '__tests__/**/*.ts', 'scripts/**/*.mjs'],
  ignoreDependencies: ['@jest/globals'],
  ignoreBinaries: ['apt-get'],
  ignoreExportsUsedInFile: true,
  rules: { types: 'off' },
};
