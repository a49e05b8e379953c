/** Options by which a program that is harmless otherwise runs another one: one row each. */

import { type ActRow, names, some } from './act-row.js';

const OTHER = 'it can be told to run other programs by its options';
const row = (programs: string, pattern: RegExp): ActRow => ({ programs: names(programs), says: OTHER, when: some(pattern) });

const GIT =
  /^(?:-c|--config-env|--exec|--exec-path|--upload-pack|--receive-pack|-x|foreach|bisect|filter-branch|difftool|mergetool|--ext-diff|--textconv|--open-files-in-pager)(?:$|=)|^-O|ext::|^(?:core|alias|diff|merge|pager|filter|credential|gpg|sequence|protocol|include|uploadpack|ssh|http|url|remote|init)\.[\w.-]+/;
/** The command `e` of sed, and the flag of its `s`; options alone are neither. */
const SED =
  /^(?!-[a-zA-Z]*$)(?:[\s\S]*(?:^|[\n;{}\d$/!,])\s{0,9}e(?:\s|$)|[\s\S]*\/[gipmMI\d]{0,9}e[gipmMI\d]{0,9}(?:$|[\s;}])|s([^\w\s\\])[\s\S]*\1[gipmMI\d]{0,9}e(?:$|[\s;}]))/;

/** In no order. */
export const steeredRows: readonly ActRow[] = [
  row('curl', /^(?:-[a-zA-Z#]*K|--config|--libcurl|--engine|--unix-socket)/),
  row('wget wget2', /^(?:--use-askpass|--execute|-e$)/),
  row('ssh scp sftp', /proxycommand|localcommand|knownhostscommand|^-[SFRLDw]/i),
  row('rsync', /^-[a-zA-Z]*e|^--(?:rsh|rsync-path)/),
  row('git', GIT),
  row(
    'tar gtar bsdtar',
    /^(?:-[a-zA-Z]*[IF]|--(?:checkpoint|to-command|use-compress-program|rmt-command|rsh-command|info-script|new-volume-script))/,
  ),
  row('sort', /^--compress-program/),
  row('split', /^--filter/),
  row('rg', /^--(?:pre|hostname-bin)(?:=|$)/),
  row('zip', /^(?:-TT|--unzip-command)/),
  row('awk gawk mawk nawk', /system\s{0,9}\(|\|&?\s{0,9}"|\|\s{1,9}[a-z_(]|getline|^-[a-zA-Z]*[lE]$|^--(?:load|exec|include)|@load|\/inet/),
  row('sed', SED),
  row('vi vim nvim ex ed emacs view vimdiff rvim red', /^(?:-[cSsue]|--cmd|--eval|--batch|--?script|\+|-[fl]$)/),
  row('less more most man', /^(?:\+|-[pP]|--pager|--html|-k$|--lesskey)/),
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
  row('openssl', /^-(?:engine|provider|provider-path)/),
  row('pdftex pdflatex latex tex xelatex lualatex', /shell-escape|write18/),
  row('ansible ansible-console', /^(?:-m|-a|--module-name|--args)/),
];
