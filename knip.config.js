/** Finds files, exports and packages that nobody uses. */
export default {
  entry: ['lib/main.ts', 'bin/buddy-tui.js', 'scripts/*.mjs', '__tests__/**/*.{ts,mjs}', '.dependency-cruiser.mjs'],
  project: ['lib/**/*.ts', '__tests__/**/*.ts', 'scripts/**/*.mjs'],
  ignoreDependencies: ['@jest/globals'],
  ignoreExportsUsedInFile: true,
  rules: { exports: 'error', types: 'off', enumMembers: 'off' },
};
