/** What a command does to the world, as far as its name and its arguments tell. */

import { isForeign, isShell } from './interpreters.js';
import type { Invocation } from './invocations.js';
import { onlyLooks, subcommandOf } from './readers.js';
import { wrapperOf } from './wrappers.js';

export interface Effects {
  /** It changes something that outlives it, or nobody can tell that it does not. */
  readonly mutation: boolean;
  readonly network: boolean;
  /** What it changes cannot be had back, or much depends on it. */
  readonly grave: boolean;
}

const NETWORK = new Set(
  (
    'curl wget wget2 http https xh aria2c ssh scp sftp rsync mosh ftp lftp tftp nc ncat netcat socat telnet ping ping6 traceroute tracepath mtr dig nslookup host ' +
    'whois nmap aws gcloud az gsutil rclone s3cmd gh glab hub kubectl oc helm ansible ansible-playbook terraform tofu npx uvx yt-dlp ssh-copy-id ssh-keyscan mail sendmail'
  ).split(' '),
);
const FETCHING =
  /^(?:push|pull|fetch|clone|ls-remote|remote|submodule|install|i|ci|add|update|upgrade|dist-upgrade|full-upgrade|download|get|search|publish|login|audit|outdated|sync|tap|refresh|view|info)$/;
/** Of these, some subcommands reach the network. */
const FETCHERS = new Set(
  'git npm pnpm yarn pip pip3 pipx uv poetry cargo go gem bundle composer apt apt-get dnf yum zypper pacman apk brew snap flatpak docker podman nerdctl conda nix'.split(
    ' ',
  ),
);
/** They open no connection for these. */
const LOCAL: Readonly<Record<string, RegExp>> = { git: /^(?:add|update)$/, docker: /^(?:info|update)$/, podman: /^(?:info|update)$/ };

/** What they take away is gone, or what they change is depended upon. */
const GRAVE = new Set('shred dd truncate wipefs userdel groupdel killall pkill dropdb drop'.split(' '));
const GRAVE_SUBCOMMANDS =
  /^(?:remove|purge|autoremove|autopurge|uninstall|erase|delete|destroy|prune|rm|rmi|clean|reset|filter-branch|kill|stop|restart|disable|mask|drain|dist-upgrade|full-upgrade|rollback|drop)$/;
const MANY = new Set(
  'git docker podman kubectl helm systemctl service apt apt-get dnf yum zypper pacman brew snap flatpak terraform aws gcloud virsh lxc'.split(
    ' ',
  ),
);

/** Of one command alone; what it runs in turn is a command of its own. */
export function effectsOf(invocation: Invocation): Effects {
  const { name, argv } = invocation;
  const args = argv.slice(1);
  const words = args.map((arg) => arg.text);
  const subcommand = subcommandOf(words);
  const wrapper = wrapperOf(name, words)?.wrapper;
  // A wrapper or a shell changes nothing itself; code of another language may.
  const isCarrier = !isForeign(name) && (wrapper !== undefined || (isShell(name) && words.some((word) => /^-[a-zA-Z]*c$/.test(word))));
  const isFetching = FETCHERS.has(name) && FETCHING.test(subcommand) && LOCAL[name]?.test(subcommand) !== true;
  const network = NETWORK.has(name) || isFetching || wrapper?.elsewhere === true;
  const mutation = name === '' || (!isCarrier && !onlyLooks(name, args) && !(NETWORK.has(name) && onlyFetches(name, words)));
  return { mutation, network, grave: mutation && isGrave(name, words, subcommand) };
}

/** What it fetches goes to its output. */
function onlyFetches(name: string, words: readonly string[]): boolean {
  if (name === 'curl')
    return !words.some((word) =>
      /^(?:-[a-zA-Z#]*[oOJKDcdFT]|--(?:output|remote|dump|cookie-jar|config|data|form|upload|request)|-X)/.test(word),
    );
  if (name === 'wget')
    return words.some((word) => /^(?:-q?O-?$|-O-|--spider)/.test(word)) && words.every((word) => !/^-O(?!-|$)/.test(word));
  return /^(?:ping6?|traceroute|tracepath|mtr|dig|nslookup|host|whois|nmap|ssh-keyscan)$/.test(name);
}

function isGrave(name: string, words: readonly string[], subcommand: string): boolean {
  if (GRAVE.has(name)) return true;
  if (name === 'rm') return words.some((word) => /^(?:-[a-zA-Z]*[rR]|--recursive)/.test(word));
  if (name === 'find') return words.includes('-delete');
  if (name === 'chmod' || name === 'chown') return words.some((word) => /^-[a-zA-Z]*R|^--recursive/.test(word));
  if (name === 'git' && subcommand === 'push')
    return words.some((word) => /^(?:-f|--force|--delete|--mirror)/.test(word) || word.startsWith('+'));
  return MANY.has(name) && GRAVE_SUBCOMMANDS.test(subcommand);
}
