/** Finds files, exports and packages that nobody uses. */
export default {
  entry: ['lib/main.ts', 'scripts/**/*.mjs', '__tests__/**/*.{test.ts,mjs}'],
  project: ['lib/**/*.ts', '__tests__/**/*.ts', 'scripts/**/*.mjs'],
  ignoreBinaries: ['apt-get', 'ldd', 'podman', 'ssh-keygen', 'unshare'],
  ignoreExportsUsedInFile: true,
  rules: { types: 'off' },
};
