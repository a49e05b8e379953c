/** Finds files, exports and packages that nobody uses. */
export default {
  entry: [
    'lib/main.ts',
    'lib/client/index.ts',
    'lib/tools/web/page-worker.ts',
    'lib/base/picture-worker.ts',
    'lib/extensions/user/thread.ts',
    'lib/extensions/api.ts',
    'scripts/**/*.mjs',
    '__tests__/**/*.{test.ts,mjs}',
  ],
  project: ['lib/**/*.ts', '__tests__/**/*.ts', 'scripts/**/*.mjs'],
  // Run by scripts/build.mjs.
  ignoreDependencies: ['esbuild', '@modelcontextprotocol/server-everything', '@modelcontextprotocol/server-filesystem'],
  // Programs that setup.mjs installs, or that every Linux has.
  ignoreBinaries: [
    'apt-get',
    'podman',
    'ldd',
    'unshare',
    'ssh-keygen',
    'perl',
    'busybox',
    'vim',
    'openssl',
    'fish',
    'mount',
    'umount',
    'mkfifo',
    'truncate',
    'chattr',
  ],
  ignoreExportsUsedInFile: true,
  rules: { types: 'off' },
};
