/** Programs that only look, and what they have to be told to do more. */

import type { Argument } from './argument.js';

/** They take text with `$(` in it as what it is: text. */
const DATA = new Set('grep egrep fgrep zgrep rg ag ack awk gawk mawk sed echo printf cat jq yq tr cut git gh glab'.split(' '));

/** Quoted text in the arguments of that program is read by no shell; `printf -v` gives it to a variable. */
export function isDataTo(name: string, args: readonly Argument[]): boolean {
  return DATA.has(name) && !(name === 'printf' && args[0]?.text === '-v');
}

/** They change nothing that outlives them. */
const LOOKING = new Set(
  [
    'ls dir vdir cat tac nl head tail less more most bat batcat grep egrep fgrep zgrep rg ag ack awk gawk mawk sed cut tr sort uniq comm join paste',
    'wc column fold fmt rev seq expr bc dc numfmt od xxd hexdump strings file stat readlink realpath basename dirname pwd tree find fd fdfind locate',
    'plocate which whereis type hash whatis apropos man info help diff cmp colordiff sdiff md5sum sha1sum sha256sum sha512sum b2sum cksum sum',
    'echo printf true false : test [ [[ sleep date cal uptime who w users last lastlog id groups whoami logname hostname hostnamectl uname arch nproc',
    'lscpu lsmem lsblk lspci lsusb lsmod lsof lsns lslocks blkid findmnt df du free vmstat iostat mpstat pidstat sar top htop atop btop iotop ps',
    'pgrep pidof pstree pmap ss netstat ip ifconfig route arp dig nslookup host getent ping ping6 traceroute tracepath mtr whois ethtool iwconfig',
    'journalctl dmesg env printenv locale localectl timedatectl tty stty tput jobs wait cd pushd popd dirs set shopt export declare typeset local',
    'readonly unset alias umask ulimit getopts read mapfile readarray let shift return break continue exit logout trap times history fc',
    'jq yq xmllint zcat bzcat xzcat zless zstdcat base64 base32 cksum iconv yes tee md5 getconf getfacl lsattr namei nm objdump readelf ldd',
    'sensors smartctl numastat slabtop eval rpmquery apt-cache dpkg-query',
    'dmidecode acpi nvidia-smi loginctl sestatus getenforce aa-status auditctl faillog needrestart',
  ].flatMap((line) => line.split(' ')),
);

/** Words among the arguments that make them change something. */
const CHANGING: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*i|--in-place)/,
  sort: /^(?:-[a-zA-Z]*o|--output)/,
  find: /^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)$/,
  fd: /^(?:-[xX]|--exec)/,
  date: /^(?:-s|--set)/,
  tree: /^-o/,
  ip: /^(?:add|del|delete|set|flush|change|replace|append|up|down|exec|vrf)$/,
  ifconfig: /^(?:up|down|add|del|netmask|mtu|hw|[\d.]+)$/,
  route: /^(?:add|del|flush)$/,
  arp: /^-[sd]/,
  hostnamectl: /^set-|^hostname$/,
  timedatectl: /^set-/,
  localectl: /^set-/,
  loginctl: /^(?:terminate|kill|lock|unlock|enable|disable)/,
  journalctl: /^--(?:vacuum|rotate|flush|relinquish|sync|update-catalog|setup-keys)/,
  dmesg: /^(?:-[a-zA-Z]*[cCDEn]|--(?:clear|read-clear|console))/,
  awk: /[^=!<>]>[^=]|\|/,
  gawk: /[^=!<>]>[^=]|\||inplace/,
  mawk: /[^=!<>]>[^=]|\|/,
  yq: /^-[a-zA-Z]*i|^--in-?place/,
  xmllint: /^--output/,
  smartctl: /^(?:-[sto]|--(?:smart|test|offlineauto))/,
  auditctl: /^-[aAdDweRr]/,
  tee: /^[^-]/,
  stty: /^/,
  history: /^-[cdwar]/,
  ethtool: /^(?:-[sAKGCLE]|--(?:change|set))/,
};

/** The subcommands that only look, of programs that do many things. */
const LOOKING_SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: 'status log diff show blame annotate ls-files ls-tree ls-remote rev-parse rev-list describe grep shortlog cat-file merge-base whatchanged name-rev version help count-objects',
    docker: 'ps images logs inspect stats top version info port diff history events search',
    podman: 'ps images logs inspect stats top version info port diff history events search',
    kubectl: 'get describe logs top version explain api-resources api-versions cluster-info events',
    systemctl:
      'status show cat list-units list-unit-files list-timers list-sockets list-jobs list-dependencies is-active is-enabled is-failed is-system-running get-default help',
    apt: 'list show search policy depends rdepends changelog',
    'apt-mark': 'showhold showmanual showauto',
    dnf: 'list info search repolist repoquery provides history check-update',
    yum: 'list info search repolist provides history check-update',
    brew: 'list info search outdated deps config doctor',
    npm: 'ls list outdated view info audit ping whoami search',
    pip: 'list show freeze check',
    pip3: 'list show freeze check',
    cargo: 'tree metadata search',
    go: 'version env list vet doc',
    helm: 'list ls status get history show search version',
    terraform: 'show validate output providers version graph',
    service: '',
    crontab: '-l',
    zpool: 'list status get iostat history',
    zfs: 'list get',
    btrfs: '',
    lxc: 'list info',
    virsh: 'list dominfo nodeinfo',
    nmcli: '',
    gh: 'browse status',
    ufw: 'status',
    snap: 'list info find',
    flatpak: 'list info search',
  }).map(([name, words]) => [name, new Set(words.split(' '))]),
);

const LOOKING_OPTIONS = /^(?:--version|--help|-V|version|help)$/;
const DPKG = /^(?:-[lLsSIcp]|--(?:list|listfiles|status|search|print-avail|get-selections|audit|verify))$/;
const RPM = /^-(?:q[a-zA-Z]*|V[a-zA-Z]*)$/;

/** Does that program, told that, only look? */
export function onlyLooks(name: string, args: readonly Argument[]): boolean {
  const words = args.map((arg) => arg.text);
  if (args.length === 1 && LOOKING_OPTIONS.test(words[0] ?? '') && args[0]?.known === true) return true;
  if (name === 'dpkg') return words.some((word) => DPKG.test(word));
  if (name === 'rpm') return words.some((word) => RPM.test(word));
  if (name === 'hostname') return words.every((word) => word.startsWith('-') && !/^(?:-F|-b|--file)/.test(word));
  const subcommands = LOOKING_SUBCOMMANDS.get(name);
  if (subcommands !== undefined) return subcommands.has(subcommandOf(words));
  return LOOKING.has(name) && !words.some((word) => CHANGING[name]?.test(word) === true);
}

/** Options before a subcommand that take the next word. */
const VALUES = new Set([
  '-C',
  '-c',
  '-n',
  '--namespace',
  '--context',
  '--cluster',
  '--kubeconfig',
  '--git-dir',
  '--work-tree',
  '-H',
  '--host',
  '-M',
  '--machine',
  '--prefix',
]);

/** The first word that is no option and no value of one. */
export function subcommandOf(words: readonly string[]): string {
  return words.find((word, at) => !VALUES.has(words[at - 1] ?? '') && (!word.startsWith('-') || word === '-l')) ?? '';
}
