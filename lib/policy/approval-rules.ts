/** What a rule covers, and which rules can be offered for an act. Pure, and in doubt it asks. */

import { posix } from 'node:path';
import type { ModelClaim } from '../protocol/approvals.js';
import { isRuleFor, type Rule, type RuleOffer, type RulePlace, type RuleSubject } from '../protocol/rules.js';
import { plainWords } from './plain-command.js';

/** What would be done, as rules see it. */
export type Act =
  | { readonly kind: 'command'; readonly command: string }
  /** `path` is where it really lands, links followed. */
  | { readonly kind: 'write'; readonly path: string };

/** Where, as whom, and read by which shell. */
export interface ActPlace {
  readonly target: string;
  readonly host: string;
  readonly user: string;
  readonly cwd: string;
  readonly shell: string;
}

/** Shells whose reading of a plain command is known. */
const SHELLS: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish', 'sh', 'dash', 'ash', 'ksh', 'mksh']);

/**
 * Programs of which only the whole command can be a rule: with more words they would run another program, act as somebody else,
 * destroy something else, or send something out.
 */
const WHOLE_ONLY: ReadonlySet<string> = new Set(
  [
    'sudo doas su pkexec run0 runuser setpriv sg newgrp chroot unshare nsenter systemd-run login',
    'env nice ionice chrt taskset nohup timeout stdbuf setsid xargs parallel watch flock script expect strace ltrace gdb at batch crontab',
    'sh bash zsh fish dash ash ksh mksh csh tcsh busybox toybox eval exec source . command builtin noglob nocorrect repeat trap coproc',
    'if then else elif fi for while until do done case esac select function time begin end and or not switch alias unalias set export',
    'python perl ruby node deno bun php lua awk gawk mawk sed ed ex vi vim nvim emacs nano find fd rg less more man pip pipx npx uvx',
    'ssh scp sftp rsync telnet nc ncat socat curl wget ftp docker podman kubectl nerdctl tmux screen mosh',
    'rm rmdir unlink mv cp ln dd shred truncate install tee tar unzip zip cpio chmod chown chgrp chattr setfacl touch mkdir',
    'kill pkill killall mount umount fdisk sfdisk parted wipefs iptables ip6tables nft ufw useradd userdel usermod passwd visudo',
    'reboot shutdown halt poweroff init telinit mkswap swapoff swapon modprobe insmod rmmod sysctl xdg-open open start',
  ].flatMap((line) => line.split(' ')),
);

/** Programs that are many: the name alone says too little, and options before the word can change everything. */
const OF_MANY: ReadonlySet<string> = new Set(
  (
    'git gh glab hg svn npm pnpm yarn cargo go apt apt-get apt-cache dnf yum zypper pacman brew snap flatpak systemctl loginctl ' +
    'nmcli ip tc helm terraform aws gcloud az dotnet mvn gradle bundle rails composer poetry uv conda rustup nix btrfs zfs zpool lvm'
  ).split(' '),
);

/** What of those is as bad as the programs of `WHOLE_ONLY`. */
const WHOLE_ONLY_OF: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    git: 'config clean reset push checkout restore switch rebase bisect submodule filter-branch difftool mergetool rm am'.split(' '),
    npm: ['exec', 'x', 'explore', 'config', 'publish'],
    pnpm: ['exec', 'dlx', 'config', 'publish'],
    yarn: ['exec', 'dlx', 'config', 'publish'],
    uv: ['run', 'tool'],
    poetry: ['run'],
    conda: ['run'],
    nix: ['run', 'shell', 'develop'],
    systemctl: ['edit', 'poweroff', 'reboot', 'halt', 'kexec'],
  }),
);

/** A word such as `log` in `git log`. */
const SUBCOMMAND = /^[a-z][a-z0-9-]*$/;
/** Longer prefixes are no choice but a burden. */
const MOST_WORDS = 8;
const MOST_FOLDERS = 6;

/** Does `rule` say yes to that act at that place? What the model claims of it can only make this stricter. */
export function covers(rule: Rule, act: Act, place: ActPlace, claim: ModelClaim | null): boolean {
  return isAt(rule, place) && isAbout(rule.subject, act, place, claim);
}

function isAt(rule: Rule, place: ActPlace): boolean {
  const { folder } = rule.place;
  if (place.host === '' || place.user === '') return false;
  return isRuleFor(rule, { ...place, label: place.target }) && (folder === null || (place.cwd !== '' && folder === place.cwd));
}

function isAbout(subject: RuleSubject, act: Act, place: ActPlace, claim: ModelClaim | null): boolean {
  if (subject.kind === 'command') return act.kind === 'command' && SHELLS.has(place.shell) && isCommand(subject, act.command, claim);
  if (act.kind !== 'write') return false;
  return subject.kind === 'file' ? act.path === subject.path : isInside(act.path, subject.path);
}

function isCommand(subject: Extract<RuleSubject, { kind: 'command' }>, command: string, claim: ModelClaim | null): boolean {
  const words = plainWords(command);
  if (words === null || unsound(subject) !== null) return false;
  if (subject.exact) return words.length === subject.words.length && begins(words, subject.words);
  return begins(words, subject.words) && claim?.privesc !== true && claim?.risk !== 'high';
}

function begins(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= words.length && prefix.every((word, at) => words[at] === word);
}

/** Nothing hidden on the way: what is in `.git` or `.ssh` does more than it says. */
function isInside(path: string, folder: string): boolean {
  const rest = posix.relative(folder, path);
  return rest !== '' && !posix.isAbsolute(rest) && !rest.split('/').some((part) => part.startsWith('.'));
}

/** Why there can be no such rule, or null. */
export function unsound(subject: RuleSubject): string | null {
  if (subject.kind !== 'command') return unsoundPath(subject);
  const [program = '', second] = subject.words;
  // The words have to be what a plain command gives.
  if (program === '' || plainWords(program)?.[0] !== program || subject.words.some((word) => /[\x00-\x1f\x7f'\\!]/.test(word)))
    return 'these are not the words of one plain command';
  if (subject.exact) return null;
  const name = nameOf(program);
  if (WHOLE_ONLY.has(name) || name.startsWith('mkfs')) return `a rule for ${name} has to name the whole command`;
  if (OF_MANY.has(name) && (second === undefined || !SUBCOMMAND.test(second))) return `a rule for ${name} has to name what it does, too`;
  if (second !== undefined && WHOLE_ONLY_OF.get(name)?.includes(second) === true)
    return `a rule for ${name} ${second} has to name the whole command`;
  return null;
}

function unsoundPath({ kind, path }: Extract<RuleSubject, { kind: 'file' | 'folder' }>): string | null {
  if (!posix.isAbsolute(path) || posix.normalize(path) !== path || (path !== '/' && path.endsWith('/')))
    return `${JSON.stringify(path)} is no absolute path`;
  return kind === 'folder' && path.split('/').length < 3 ? `a rule for all of ${path} would be too wide` : null;
}

/** `/usr/bin/python3.11` is python. */
function nameOf(program: string): string {
  const name = posix.basename(program).toLowerCase();
  return name.replace(/[\d.]+$/, '') || name;
}

/** The rules that would cover the act, to choose from; null when there is none. */
export function offerFor(act: Act, place: ActPlace, claim: ModelClaim | null, homeDir: string): RuleOffer | null {
  const { target, host, user, cwd } = place;
  // Of a place that has not told its name another one could not be told apart.
  if (host === '' || user === '') return null;
  const anywhere: RulePlace = { target, host, user, folder: null };
  const places = placesFor(act, anywhere, cwd);
  const subjects = subjectsFor(act, homeDir).filter((subject) => unsound(subject) === null && isAbout(subject, act, place, claim));
  if (subjects.length === 0 || places.length === 0) return null;
  return { subjects, proposed: proposedOf(subjects), places };
}

/** A program by a relative path is another one in another folder. */
function placesFor(act: Act, anywhere: RulePlace, cwd: string): readonly RulePlace[] {
  if (act.kind === 'write') return [anywhere];
  const here = cwd === '' ? [] : [{ ...anywhere, folder: cwd }];
  const [program = ''] = plainWords(act.command) ?? [];
  return program.includes('/') && !posix.isAbsolute(program) ? here : [...here, anywhere];
}

function subjectsFor(act: Act, homeDir: string): readonly RuleSubject[] {
  if (act.kind === 'write') return [...foldersOf(act.path, homeDir).reverse(), { kind: 'file', path: act.path }];
  const words = plainWords(act.command);
  if (words === null) return [];
  const prefixes = words
    .slice(0, MOST_WORDS)
    .map((_, at): RuleSubject => ({ kind: 'command', words: words.slice(0, at + 1), exact: false }));
  return [...prefixes, { kind: 'command', words, exact: true }];
}

/** The folders around a file, the nearest first; none that holds the home folder. */
function foldersOf(path: string, homeDir: string): RuleSubject[] {
  const folders: RuleSubject[] = [];
  for (let folder = posix.dirname(path); folder !== '/' && folders.length < MOST_FOLDERS; folder = posix.dirname(folder)) {
    if (homeDir === folder || homeDir.startsWith(`${folder}/`)) break;
    folders.push({ kind: 'folder', path: folder });
  }
  return folders;
}

/** The program and what it does; of the others, and of files, the narrowest. */
function proposedOf(subjects: readonly RuleSubject[]): number {
  const at = subjects.findIndex(
    (subject) => subject.kind === 'command' && !subject.exact && subject.words.length === 2 && SUBCOMMAND.test(subject.words[1] ?? ''),
  );
  return at < 0 ? subjects.length - 1 : at;
}
