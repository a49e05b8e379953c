/** Places that mean more than a file: secrets, what is run later by itself, and what is no file at all. */

import { posix } from 'node:path';
import type { Argument } from './argument.js';

/** A word as the path it would be; `..` and doubled slashes are taken away. */
function pathOf(text: string): string {
  const path = text.replace(/^(?:file:\/\/|@|--?[\w-]+=|[a-z]+=)/, '');
  return path === '' ? '' : posix.normalize(path);
}

const SECRETS =
  /(?:^|\/)(?:\.ssh\/(?:id_|identity)|\.ssh\/?$|\.ssh\/\*|id_(?:rsa|dsa|ecdsa|ed25519)(?!\.pub)|\.gnupg(?:\/|$)|\.aws\/?(?:credentials|config|$)|\.azure(?:\/|$)|\.config\/(?:gcloud|gh|hub|rclone|op|buddy)(?:\/|$)|\.kube(?:\/config)?$|\.docker\/config\.json|\.netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.git-credentials|\.vault-token|\.cargo\/credentials|\.terraform\.d\/credentials|\.s3cfg$|\.boto$|\.env(?:\.[\w-]+){0,3}$|\.password-store(?:\/|$)|\.mozilla(?:\/|$)|\.config\/google-chrome(?:\/|$)|\.local\/share\/keyrings|\.local\/state\/buddy|auth\.json$|credentials\.json$)|\.(?:kdbx|keytab|p12|pfx)$/i;
const SYSTEM_SECRETS =
  /^\/(?:etc\/(?:g?shadow-?|sudoers(?:\.d\/.*)?|ssl\/private|ssh\/ssh_host_\w+_key$|krb5\.keytab|wireguard|letsencrypt\/(?:live|archive)|NetworkManager\/system-connections|wpa_supplicant\/|kubernetes\/(?:admin\.conf|pki))|proc\/(?:\d+|self|thread-self|\*)?\/?(?:environ|mem|maps)(?![a-z])|proc\/[^/]+\/(?:environ|mem|root)(?![a-z])|dev\/k?mem|root\/\.|var\/lib\/(?:sss|kubelet\/pki)|(?:var\/)?run\/secrets)/;
const PUBLIC = /\.pub$|known_hosts|\.env\.(?:[\w-]+\.)?(?:example|sample|template|dist)$/i;

/** It holds keys, passwords or tokens. */
export function isSecret({ text }: Argument): boolean {
  const path = pathOf(text);
  return !PUBLIC.test(path) && (SECRETS.test(path) || SYSTEM_SECRETS.test(path));
}

const STARTED_LATER =
  /^\/(?:etc\/(?:cron|anacrontab|at\.|systemd|init\.?d?(?:\/|$)|rc|profile|bash|zsh|fish|environment|ld\.so|pam|sudoers|security|passwd|group|g?shadow|subuid|subgid|ssh|xdg\/autostart|udev|modules|modprobe|sysctl|inittab|crypttab|fstab|hosts\.|nsswitch|resolv|apt|yum|dnf|logrotate|NetworkManager|network|netplan|default\/|skel|update-motd|default\/grub|grub)|var\/spool\/(?:cron|at)|usr\/lib\/systemd|lib\/systemd|usr\/local\/lib\/systemd|boot(?:\/|$)|root\/\.|Library\/Launch)/;
const STARTED_AT_HOME =
  /(?:^|\/)(?:\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|z(?:shrc|shenv|profile|login|logout)|kshrc|mkshrc|cshrc|tcshrc|login|inputrc|xinitrc|xprofile|xsession|pam_environment|vimrc|exrc|gdbinit|gitconfig|hgrc|tmux\.conf|screenrc|forward|pythonrc|Rprofile|irbrc|curlrc|wgetrc)$|\.ssh(?:\/|$)|authorized_keys2?$|\.agents\/skills(?:\/|$)|\.config\/(?:fish|systemd|autostart|environment\.d|git|nvim|tmux|kitty|i3|sway|hypr)(?:\/|$)|\.git\/(?:hooks|config|worktrees\/[^/]+\/config)|\.hg\/hgrc$|\.vim(?:\/|$)|Library\/LaunchAgents|\.local\/share\/(?:systemd|applications|dbus-1)|\.local\/bin(?:\/|$)|sitecustomize\.py|usercustomize\.py|\.pth$)/;

/** What is written there is run later, by itself or with other rights. */
export function isStartedLater({ text }: Argument): boolean {
  const path = pathOf(text);
  return STARTED_LATER.test(path) || STARTED_AT_HOME.test(path);
}

/** A file of that name leads git to another folder, with what it is to run; a folder of that name is no more than a repository. */
export function isGitFile({ text }: Argument): boolean {
  return /(?:^|\/)\.git$/.test(pathOf(text));
}

/** A disk, or memory. */
export function isDisk({ text }: Argument): boolean {
  return (
    /^\/dev\/(?:[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk|loop\d|dm-|md\d|mapper\/|disk\/|sr\d|zd\d|r?disk\d|k?mem|port)/.test(pathOf(text)) ||
    /^\/proc\/(?:sysrq-trigger|sys\/|kcore)/.test(pathOf(text))
  );
}

/** Somebody's terminal, or the open files of a process. */
export function isTerminal({ text }: Argument): boolean {
  return /^\/(?:dev\/(?:pts\/|tty(?:$|[A-Z0-9])|console|ptmx|vcs|uinput|input)|proc\/[^/]*\/(?:fd|task))/.test(pathOf(text));
}

/** A connection that bash itself opens. */
export function isConnection({ text }: Argument): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(pathOf(text));
}

/** No path is longer. */
const LONGEST = 4096;

/** So much is below it that nobody can have meant all of it: `/`, `~`, `/usr`, `..`, a mere wildcard. */
export function isBroad({ text, known, hasGaps }: Argument): boolean {
  if (text === '') return !known;
  if (hasGaps) return /^\/?\*{0,9}$/.test(text);
  if (text.length > LONGEST) return false;
  if (/^(?:\.\/)?\*+$/.test(text)) return true;
  const path = posix.normalize(text.replace(/\/?\*+$/, '/')).replace(/(.)\/$/, '$1');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/')) return parts.length < 2 && parts[0] !== 'tmp';
  return /^~[\w-]*$/.test(path) || (parts.length > 0 && parts.every((part) => part === '..'));
}
