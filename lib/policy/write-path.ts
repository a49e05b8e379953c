/** Where files may be written: judged on the absolute path, without touching the disk. */

/** Folders no agent writes to unless the user allows them (seed constants and our own state). */
const SENSITIVE_ROOTS: readonly string[] = [
  '/etc',
  '/bin',
  '/sbin',
  '/usr',
  '/boot',
  '/dev',
  '/proc',
  '/sys',
  '/System',
  '/Library',
  '/private/etc',
];
/** Keys and logins, our own state, and what shells and desktops run by themselves; files and folders. */
const SENSITIVE_AT_HOME: readonly string[] = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.config/gcloud', '.kube', '.docker', '.netrc', '.password-store', '.local/share/keyrings'],
  // Skills there are told to every later conversation, as the person's own words.
  ...['.config/buddy', '.local/state/buddy', '.agents/skills'],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.inputrc'],
  ...[
    '.zshenv',
    '.zprofile',
    '.zshrc',
    '.zlogin',
    '.zlogout',
    '.config/fish',
    '.config/systemd',
    '.config/autostart',
    '.gitconfig',
    '.hgrc',
    '.config/git',
  ],
];
/** What git and hg run by themselves, in any repository; a file `.git` leads to a folder of such. */
const RUN_BY_VCS =
  /\/\.git(?:$|\/(?:hooks\/|hooks$|config(?:\.worktree)?$|worktrees\/[^/]+\/config\.worktree$|modules\/.*\/(?:hooks\/|config$)))|\/\.hg\/hgrc$/;

export interface WriteRules {
  readonly homeDir: string;
  /** When not empty, the only places where writing is allowed (tools.files_allowed_paths). */
  readonly allowedPaths: readonly string[];
}

/** Why writing to `path` (absolute, normalised) is refused, or null. */
export function writeRefusal(path: string, rules: WriteRules): string | null {
  if (folded(path).split('/').includes('.buddyx')) return `writing to ${path} is refused: the program keeps its sessions there`;
  if (rules.allowedPaths.length > 0) {
    const inside = rules.allowedPaths.some((root) => isWithin(path, root));
    return inside ? null : `writing to ${path} is refused: it is outside tools.files_allowed_paths (${rules.allowedPaths.join(', ')})`;
  }
  const roots = [...SENSITIVE_ROOTS, ...SENSITIVE_AT_HOME.map((name) => `${rules.homeDir}/${name}`)];
  const root = roots.find((candidate) => isWithin(folded(path), folded(candidate)));
  const place = root ?? RUN_BY_VCS.exec(folded(path))?.[0].slice(1) ?? null;
  if (place === null) return null;
  return `writing to ${path} is refused: ${place} is a sensitive place; the user can allow it in tools.files_allowed_paths`;
}

/** As file systems compare names that take small letters and capitals for the same, and composed characters for their parts. */
function folded(path: string): string {
  return path.normalize('NFKC').toLowerCase();
}

function isWithin(path: string, root: string): boolean {
  const base = root.endsWith('/') && root !== '/' ? root.slice(0, -1) : root;
  return path === base || path.startsWith(base === '/' ? '/' : `${base}/`);
}
