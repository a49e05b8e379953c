/** Options by which a program that is harmless otherwise runs another one: one row each. */

import { type ActRow, both, names, none, some, verb } from './act-row.js';

const OTHER = 'it can be told to run other programs by its options';
const row = (programs: string, pattern: RegExp): ActRow => ({ programs: names(programs), says: OTHER, when: some(pattern) });

const GIT =
  /^(?:-c|--config-env|--exec|--exec-path|--upload-pack|--receive-pack|-x|foreach|bisect|filter-branch|difftool|mergetool|--ext-diff|--textconv|--open-files-in-pager)(?:$|=)|^-O|ext::|^(?:core|alias|diff|merge|pager|filter|credential|gpg|sequence|protocol|include|uploadpack|ssh|http|url|remote|init)\.[\w.-]+/;
/** The command `e` of sed, and the flag of its `s`; options alone are neither. */
const SED =
  /^(?!-[a-zA-Z]*$)(?:[\s\S]*(?:^|[\n;{}\d$/!,])\s{0,9}e(?:\s|$)|[\s\S]*\/[gipmMI\d]{0,9}e[gipmMI\d]{0,9}(?:$|[\s;}])|s([^\w\s\\])[\s\S]*\1[gipmMI\d]{0,9}e(?:$|[\s;}]))/;

/** Names of options that are kept for what a program is to run: `--pre-hook`, `--rsh`, `--password-command`. */
const RUNS_ANOTHER =
  /^--(?!no-)(?:exec|rsh|pager|editor|askpass|(?:[a-z]{1,20}-){1,3}(?:exec|hook|rsh|cmd|command|script|shell|bin))(?:=|$)|^--on-[a-z-]{1,40}=|^--openssl$/;
/** They are given text that may look like an option. */
const NOT_TO_TEXT = /^(?!(?:[efz]?grep|rg|ag|ack|echo|printf|man|sed|test|\[|curl|wget2?|git|sudo|sort|split)$)/;

/** In no order. */
export const steeredRows: readonly ActRow[] = [
  { programs: NOT_TO_TEXT, says: OTHER, when: some(RUNS_ANOTHER) },
  row('agetty getty', /^(?:-[a-zA-Z]*l|--login-program)/),
  row('enscript', /^-[a-zA-Z]*I|^--filter/),
  row('scrot', /^(?:-[a-zA-Z]*e|--exec)/),
  row('zathura', /^-x/),
  row('rtorrent', /execute/),
  row('hg', /^--config/),
  row('ranger', /^--cmd/),
  row('scanmem asterisk perlbug pidstat acr', /^-(?:[a-zA-Z]*[ecx]$|rx$)/),
  row('sshfs sshuttle check_by_ssh', /ssh_command|proxycommand|^-[eo]$/i),
  row('msgfilter recode-sr-latin', /^/),
  row('latexmk', /^-(?:e|r|(?:pdf|xe|lua)?latex=)/),
  row('logrotate', /^(?:-l|-m|--log|--mail)/),
  row('xdg-user-dir', /[^A-Z]/),
  row('busctl systemctl journalctl loginctl', /unixexec/),
  row('ssh-keygen ssh-add ssh', /^-(?:D|I|s)$/),
  row('ldconfig', /^-[a-zA-Z]*[fC]/),
  row('ffmpeg ffplay ffprobe', /ladspa|frei0r|lv2/),
  row('dnf yum tdnf', /plugin/),
  row('fail2ban-client', /^set$|^action/),
  row('service', /\//),
  row('virsh', /^(?:qemu-|define$|create$|send-key$)/),
  row('code codium code-insiders', /^--install-extension/),
  row('snap', /^--(?:dangerous|devmode|classic)/),
  row('puppet', /^(?:-e|--execute)$/),
  row('gem', /^-e/),
  row('forge', /^--use/),
  row('zypper', /^-R$|^--root/),
  row('cdist', /^-s$/),
  row('cpio', /^--rsh/),
  row('opencode', /^\s{0,9}\.(?:shell|system)/),
  row('clisp', /^-x/),
  row('dvips', /^-R0$/),
  row('curl', /^(?:-[a-zA-Z#]*K|--config|--libcurl|--engine|--unix-socket)/),
  row('wget wget2', /^(?:--use-askpass|--execute|-e$)/),
  row('ssh scp sftp', /proxycommand|localcommand|knownhostscommand|^-[SFRLDw]/i),
  row('rsync', /^-[a-zA-Z]*e|^--(?:rsh|rsync-path)/),
  row('git', GIT),
  row(
    'tar gtar bsdtar',
    /^(?:-[a-zA-Z]*[IF]|--(?:checkpoint|to-command|use-compress-program|rmt-command|rsh-command|info-script|new-volume-script))/,
  ),
  {
    programs: names('git'),
    says: OTHER,
    when: both(verb(/^(?:clone|archive|fetch-pack|fetch|pull)$/), some(/^(?:-u|--upload-pack|--exec)/)),
  },
  row('sort', /^--compress-program/),
  row('split', /^--filter/),
  row('rg', /^--(?:pre|hostname-bin)(?:=|$)/),
  row('zip', /^(?:-TT|--unzip-command)/),
  row('awk gawk mawk nawk', /system\s{0,9}\(|\|&?\s{0,9}"|\|\s{1,9}[a-z_(]|getline|^-[a-zA-Z]*[lE]$|^--(?:load|exec|include)|@load|\/inet/),
  row('sed', SED),
  row('vi vim nvim ex ed emacs view vimdiff rvim red', /^(?:-[cSsue]|--cmd|--eval|--batch|--?script|\+|-[fl]$)/),
  row('less more most man', /^(?:\+|-[pPH]|--pager|--html|-k$|--lesskey)/),
  row('make gmake bmake ninja just task rake cmake scons', /^(?:--eval|-f-|-$|-E|\/dev\/|\/proc\/|SHELL=|MAKEFLAGS=)/),
  row('capsh', /^(?:--|==)$/),
  row('tcpdump', /^-[a-zA-Z]*z/),
  row('nmap', /^--script/),
  row('entr fzf tail', /^(?:--preview|--bind|--pid)/),
  row('apt apt-get aptitude dpkg', /invoke|::/i),
  row('gcc cc g++ c++ clang', /^-(?:wrapper|specs|fplugin|B$)/),
  row('sqlite3', /^\.(?:shell|system|load)|load_extension|^-cmd/),
  row(
    'mysql mariadb psql mongosh mongo redis-cli',
    /^\\!|\\!|system\s|copy [^;]{0,500} program|load_file|into (?:out|dump)file|^--eval|lua/i,
  ),
  row('openssl', /^-(?:engine|provider|provider-path|pre|post)$|SO_PATH/),
  row('pdftex pdflatex latex tex xelatex lualatex', /shell-escape|write18/),
  row('nano pico rnano', /^(?:-[a-zA-Z]*s|--speller|-[a-zA-Z]*e$|--execute)/),
  row('rpm rpmquery rpmverify rpmdb rpmbuild', /%[({]|^(?:--eval|--pipe|--define|-E|-D|--load)/),
  row('salt salt-call salt-ssh', /^cmd[._]|^(?:-r|--raw)/),
  row(
    'openvpn',
    /^--(?:up|down|script-security|route-up|ipchange|learn-address|auth-user-pass-verify|client-(?:dis)?connect|plugin|tls-verify)/,
  ),
  row('dc', /!/),
  { programs: names('run-parts'), says: OTHER, when: none(/^--(?:test|list)$/) },
  row('ansible ansible-console', /^(?:-m|-a|--module-name|--args)/),
];
