/** The acts that a person is asked about in every mode: one row each. Widen it by a row, not by a list of commands. */

import { type ActRow, both, names, none, some, verb } from './act-row.js';
import { isBroad, isDisk } from './paths.js';

/** It sends data out. */
export const UPLOADS = 'it sends data out';
/** It reaches into other programs. */
export const CONTROLS = 'it can type into terminals or reach into other programs';
/** It is run later. */
export const PERSISTS = 'it sets up what runs later by itself';
/** It works on disks. */
export const DISKS = 'it works on whole disks or file systems';
/** It changes the shell. */
export const STEERS = 'it changes what later commands mean';
const AS_YOU = 'it answers this program in your name: trust, logins, other runs';
const ACCOUNTS = 'it changes who may log in, or what they may do';
const POWER = 'it stops or restarts the machine';
const REACH = 'it can cut off the network, or what keeps others out';
const KERNEL = 'it changes the running kernel';
const BROAD = 'it changes very much at once';
const ESCAPES = 'it gives a container the run of the machine';

const ONLY_LOOKS = /^(?:doctor|keys|completion|help|--help|-h|--version|-V)$/;
const CONTROLLERS = 'tmux tmate screen zellij xdotool ydotool wtype dotool reptyr gdb lldb ttyecho conspy wall write mesg chvt openvt';
const ACCOUNT_PROGRAMS =
  'useradd adduser userdel deluser usermod groupadd groupdel groupmod addgroup delgroup gpasswd passwd chpasswd newusers visudo vipw vigr chage ' +
  'chsh chfn pwconv ssh-copy-id pam-auth-update faillock setcap';
const DISK_PROGRAMS =
  /^(?:mkfs|mke2fs|newfs|mkswap|fsck|e2fsck|xfs_repair|resize2fs|xfs_growfs|tune2fs|s?fdisk|cfdisk|[sc]?gdisk|parted|partprobe|gparted|wipefs|blkdiscard|badblocks|hdparm|nvme|cryptsetup|mdadm|dmsetup|debugfs|xfs_db|losetup|(?:lv|vg|pv)(?:create|remove|rename|extend|reduce|resize|change|convert|move)|grub-install|efibootmgr|flashrom|fwupdmgr)(?:\.|$)/;
const SENDERS =
  'nc ncat netcat socat socket telnet ftp tftp lftp ncftp sftp chisel ngrok cloudflared frpc mail mailx mutt sendmail msmtp swaks croc wormhole smbclient iodine';
const KEEPS_OTHERS_OUT =
  /^(?:sshd?|network|networking|NetworkManager|systemd-networkd|systemd-resolved|firewalld|ufw|nftables|iptables|fail2ban|apparmor)(?:\.service)?$/;
const RECURSIVE = some(/^(?:-[a-zA-Z]*[rR]|--recursive|--no-preserve-root)/);
const CHANGING_VERBS = /^(?:create|upload|delete|edit|merge|close|comment|api|set|run|fork|rename|archive|transfer)$/;
const COPYING_VERBS =
  /^(?:copy|sync|move|cp|mv|put|upload|create|delete|terminate|run|update|modify|put-[\w-]+|delete-[\w-]+|create-[\w-]+|terminate-[\w-]+)$/;

/** In the order in which their reasons are told. */
export const actRows: readonly ActRow[] = [
  { programs: names(CONTROLLERS), says: CONTROLS },
  { programs: names('buddy-tui buddy'), says: AS_YOU, when: (words) => !ONLY_LOOKS.test(words[0] ?? '') },
  {
    programs: names('node nodejs'),
    says: AS_YOU,
    when: (words) => /(?:^|\/)buddy-tui(?:\.js)?$/.test(words[0] ?? '') && !ONLY_LOOKS.test(words[1] ?? ''),
  },
  { programs: names('crontab'), says: PERSISTS, when: none(/^-l$/) },
  { programs: names('at batch anacron incrontab launchctl update-rc.d chkconfig rc-update systemd-run'), says: PERSISTS },
  {
    programs: names('systemctl'),
    says: PERSISTS,
    when: verb(
      /^(?:enable|reenable|link|edit|preset|preset-all|add-\w+|set-default|set-property|set-environment|import-environment|mask|unmask|revert)$/,
    ),
  },
  { programs: names('loginctl'), says: PERSISTS, when: verb(/^enable-linger$/) },
  {
    programs: names('systemctl'),
    says: POWER,
    when: verb(/^(?:isolate|rescue|emergency|default|exit|switch-root|soft-reboot|suspend|hibernate|hybrid-sleep)$/),
  },
  { programs: names('shutdown reboot halt poweroff init telinit kexec pm-suspend'), says: POWER },
  {
    programs: names('systemctl service'),
    says: REACH,
    when: both(some(KEEPS_OTHERS_OUT), none(/^(?:status|show|cat|is-\w+|list-[\w-]+)$/)),
  },
  { programs: names('setenforce apparmor_parser aa-teardown aa-disable aa-complain setsebool semanage chcon'), says: REACH },
  {
    programs: names('iptables ip6tables iptables-restore nft ebtables arptables ipset firewall-cmd pfctl'),
    says: REACH,
    when: none(/^(?:-L|-S|--list|list|--list-all|--state|--get-[\w-]+)$/),
  },
  { programs: names('wg-quick'), says: REACH, when: none(/^(?:strip|save)$/) },
  { programs: names('ufw'), says: REACH, when: none(/^(?:status|show|version)$/) },
  { programs: names('ip'), says: REACH, when: some(/^(?:add|del|delete|set|flush|change|replace|append)$/) },
  {
    programs: names('ifconfig route ifup ifdown dhclient nmcli netplan tc'),
    says: REACH,
    when: some(/^(?:up|down|add|del|delete|flush|mod|modify|off|apply|try|disconnect|replace|(?:eth|en|wl)\w+)$/),
  },
  { programs: names(ACCOUNT_PROGRAMS), says: ACCOUNTS },
  { programs: names('chmod'), says: ACCOUNTS, when: some(/^[0-7]?[2467][0-7]{3}$|^[ugoa]*[+=][rwxXt]*s/) },
  { programs: DISK_PROGRAMS, says: DISKS, when: none(/^(?:-l|--list|--detail|--examine|-D|-E|list|status|luksDump|--version|--help)$/) },
  {
    programs: names('zpool zfs btrfs diskutil'),
    says: DISKS,
    when: some(/^(?:destroy|create|labelclear|export|rollback|delete|erase\w+|partitionDisk|format|device|receive|recv)$/),
  },
  { programs: names('dd'), says: DISKS, when: (_, args) => args.some((arg) => arg.text.startsWith('of=') && (isDisk(arg) || !arg.known)) },
  { programs: names('insmod rmmod modprobe bpftool'), says: KERNEL },
  { programs: names('sysctl'), says: KERNEL, when: some(/=|^(?:-w|-p|--write|--load|--system)/) },
  {
    programs: names('alias unalias enable bind complete compdef setopt zmodload autoload abbr zle'),
    says: STEERS,
    when: some(/=|^-[fxC]|^\w/),
  },
  { programs: names('hash'), says: STEERS, when: some(/^-p/) },
  { programs: names('mapfile readarray'), says: STEERS, when: some(/^-C/) },
  { programs: names('fc history'), says: STEERS, when: some(/^-[es]|^(?!-l|\d+$|-\d)/) },
  {
    programs: names('curl'),
    says: UPLOADS,
    when: some(/^(?:-[a-zA-Z#]*[dFT]|--(?:data|form|upload|json|url-query|mail|quote)[\w-]*|(?:--request=|-X)?(?:POST|PUT|PATCH|DELETE)$)/),
  },
  { programs: names('wget wget2'), says: UPLOADS, when: some(/^--(?:post|body|method)/) },
  { programs: names('http https xh'), says: UPLOADS, when: some(/^(?:POST|PUT|PATCH|DELETE)$|[\w-](?::?=|@)/) },
  { programs: names(SENDERS), says: UPLOADS },
  { programs: /^python[\d.]*$/, says: UPLOADS, when: some(/^(?:-m)?(?:http\.server|SimpleHTTPServer|pyftpdlib)$/) },
  { programs: names('php'), says: UPLOADS, when: some(/^-S/) },
  { programs: names('scp rsync'), says: UPLOADS, when: some(/^(?:[\w.-]+@)?[\w.-]+:(?!\\)|^\w+:\/\//) },
  { programs: names('rclone gsutil s3cmd azcopy aws gcloud az mc'), says: UPLOADS, when: some(COPYING_VERBS) },
  { programs: names('git'), says: UPLOADS, when: verb(/^(?:push|send-email|send-pack|daemon|instaweb|request-pull)$/) },
  {
    programs: names('npm pnpm yarn cargo gem twine poetry uv mvn docker podman nerdctl helm'),
    says: UPLOADS,
    when: verb(/^(?:publish|push|upload|deploy|unpublish|login|yank|owner)$/),
  },
  { programs: names('gh glab hub'), says: UPLOADS, when: some(CHANGING_VERBS) },
  {
    programs: names('docker podman nerdctl'),
    says: ESCAPES,
    when: some(
      /^--(?:privileged|cap-add|device|security-opt)|^--(?:pid|ipc|uts|userns|network|net)=host$|^(?:-v|--volume=)?\/(?:(?:etc|root|home|usr|var|proc|sys|dev|boot|run)(?:\/[\w./-]*)?)?:\/|docker\.sock/,
    ),
  },
  {
    programs: names('docker podman nerdctl kubectl oc helm terraform tofu pulumi'),
    says: BROAD,
    when: some(/^(?:prune|delete|destroy|drain|uninstall|apply|cordon|taint)$/),
  },
  { programs: names('rm chmod chown chgrp chattr setfacl'), says: BROAD, when: both(RECURSIVE, (_, args) => args.some(isBroad)) },
  {
    programs: names('find fd fdfind'),
    says: BROAD,
    when: both(some(/^-delete$/), (_, args) => args[0] === undefined || args[0].text.startsWith('-') || isBroad(args[0])),
  },
  { programs: names('mv cp shred truncate'), says: BROAD, when: (_, args) => args.some(({ text }) => /^(?:\/|~\/?)$/.test(text)) },
  { programs: names('kill killall pkill'), says: BROAD, when: some(/^(?:-1|-u|1|--user|\.|\.\*)$/) },
];
