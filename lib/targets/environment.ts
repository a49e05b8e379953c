/** The environment that commands get: a list of what may pass, so that no key of the program reaches a pane. */

const allowed: ReadonlySet<string> = new Set([
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'ZDOTDIR',
    'LANG',
    'LANGUAGE',
    'TZ',
    'TMPDIR',
    'EDITOR',
    'VISUAL',
    'HOSTNAME',
    'MANPATH',
    'INFOPATH',
  ],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_TTY', 'LS_COLORS'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'GIT_SSL_CAINFO', 'PIP_CERT'],
  ...['JAVA_HOME', 'GOPATH', 'GOROOT', 'CARGO_HOME', 'RUSTUP_HOME', 'NVM_DIR', 'PYENV_ROOT', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'PERL5LIB'],
  ...['KUBECONFIG', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'LD_LIBRARY_PATH', 'PKG_CONFIG_PATH', 'DEBIAN_FRONTEND', 'TMUX_TMPDIR'],
]);

/** `from` reduced to the allow-list, LC_*, XDG_* and the names in `more`; output is never paged, and the locale is UTF-8 when none is set. */
export function commandEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  more: readonly string[] = [],
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue;
    if (allowed.has(name) || name.startsWith('LC_') || name.startsWith('XDG_') || more.includes(name)) kept[name] = value;
  }
  if (!kept['LANG'] && !kept['LC_ALL'] && !kept['LC_CTYPE']) kept['LANG'] = 'C.UTF-8';
  return { ...kept, PAGER: 'cat', GIT_PAGER: 'cat' };
}
