/** Finds files, exports and packages that nobody uses. */
export default {
  entry: ['lib/main.ts', 'lib/tools/web/page-worker.ts', 'scripts/**/*.mjs', '__tests__/**/*.{test.ts,mjs}'],
  project: ['lib/**/*.ts', '__tests__/**/*.ts', 'scripts/**/*.mjs'],
  // Run by scripts/build.mjs.
  ignoreDependencies: [
    'esbuild',
    'jiti',
    'yaml',
    'picomatch',
    '@types/picomatch',
    '@modelcontextprotocol/server-everything',
    '@modelcontextprotocol/server-filesystem',
    '@silvia-odwyer/photon-node',
  ],
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
  ],
  ignoreExportsUsedInFile: true,
  rules: { types: 'off' },
};
