/** Programs that run another program: where its command begins among their arguments. */

/** How one of them is read. */
export interface Wrapper {
  /** Options that take the next word as their value. */
  readonly values: ReadonlySet<string>;
  /** Operands that stand before the command: the seconds of timeout, the host of ssh. */
  readonly operands: number;
  /** `NAME=value` may stand before the command. */
  readonly assigns: boolean;
  /** The command only begins behind `--`. */
  readonly afterDashes: boolean;
  /** The words are joined and read by a shell. */
  readonly joins: boolean;
  /** Options whose value a shell reads. */
  readonly scripts: ReadonlySet<string>;
  /** The command gets other rights. */
  readonly gains: boolean;
  /** It runs on another machine or in a container. */
  readonly elsewhere: boolean;
  /** Without a command it opens a shell. */
  readonly opens: boolean;
  /** It adds words of its own to the command, or puts them where this stands. */
  readonly fills: string | null;
  /** One of these may stand before the command. */
  readonly may: ReadonlySet<string>;
  /** The first operand has to be one of these; empty: any. */
  readonly only: ReadonlySet<string>;
  /** The subcommand is what is done: `systemctl reboot` is reboot. */
  readonly verb: boolean;
}

/**
 * `sudo`, `docker exec`: the program, and the subcommand when it only wraps with that. A row is words: options that take a value (`-u`),
 * how many operands stand before the command (`1`), options whose value a shell reads (`script:-c`), and the flags of `Wrapper`.
 */
const rows: Readonly<Record<string, string>> = {
  sudo: 'gains assigns -C -D -g -h -p -R -r -t -T -U -u --user --group --host --chdir --prompt --close-from --chroot --role --type --other-user',
  doas: 'gains -u -C',
  pkexec: 'gains --user',
  run0: 'gains -u -g -D -p --user --group --chdir --property --unit --setenv --machine',
  gosu: 'gains 1',
  'su-exec': 'gains 1',
  setuidgid: 'gains 1',
  chpst: 'gains -u -U -b -e -m -d -o -p -f -c -t -/ -n',
  setpriv: 'gains --reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --selinux-label --pdeathsig',
  su: 'gains opens 1 script:-c script:--command script:--session-command -s --shell -g --group -G -w -',
  runuser: 'gains opens 1 script:-c script:--command -u --user -g -G -s --shell -w',
  sg: 'gains 1 joins script:-c',
  newgrp: 'gains opens 1',
  env: 'assigns -u -C --unset --chdir script:-S script:--split-string',
  nice: '-n --adjustment',
  ionice: '-c -n --class --classdata',
  chrt: '1 -T -P -D',
  taskset: '1',
  numactl: '-N -m -C -i -p -l --cpunodebind --membind --physcpubind --interleave --preferred',
  nohup: '',
  timeout: '1 -k -s --kill-after --signal',
  stdbuf: '-i -o -e --input --output --error',
  setsid: '',
  unbuffer: '',
  setarch:
    'may:x86_64,i386,i486,i586,i686,x86-64,amd64,linux32,linux64,uname26,aarch64,arm64,armv7l,arm,ppc,ppc64,ppc64le,s390,s390x,sparc,sparc64,mips,mips64,riscv64',
  linux32: '',
  linux64: '',
  i386: '',
  x86_64: '',
  uname26: '',
  logsave: '1',
  'ip netns': 'only:exec 2',
  'ip vrf': 'only:exec 2',
  proot: '-r -b -w -q -k --rootfs --bind --cwd --pwd --qemu --kernel-release',
  entr: 'joins',
  aoss: '',
  distcc: '',
  ccache: '',
  grc: '-c --config',
  multitime: '-n -c -f -i -I -o -q -r -s',
  pexec: '-p -e -f -n -o -u',
  setlock: '1',
  gtester: '-o -k -p -s -m --seed',
  'mosh-server new': '-p -i -c -l -s',
  'rustup run': '1',
  'codex sandbox': 'may:linux,macos,windows',
  'cabal exec': '',
  'cabal v2-exec': '',
  'composer exec': '',
  'ctr run': 'elsewhere 2 --mount --env --label --runtime --snapshotter --net-host',
  'arch-nspawn': '1 -C -M -c -f',
  'systemd-nspawn': 'elsewhere opens -D -M -i -u --directory --machine --image --bind --bind-ro --user --setenv',
  genie: 'script:-c',
  ksu: 'gains 1 script:-e script:-a',
  plymouth: 'script:--command',
  'gpg-agent': '--options --homedir --log-file --debug-level',
  prlimit: '',
  strace: '-o -e -p -s -P -u -E -a -b -I -O -S -U -X',
  ltrace: '-o -e -p -s -u -a -A -n -w -x -l -D -F',
  perf: '1 -e -o -p -t -C -F -g',
  time: '-f -o --format --output',
  command: '',
  builtin: '',
  exec: '-a',
  noglob: '',
  nocorrect: '',
  repeat: '1',
  busybox: '',
  toybox: '',
  catchsegv: '',
  eatmydata: '',
  fakeroot: '-l -f -s -i -b --lib --faked --unknown-is-real',
  faketime: '1',
  firejail: '',
  bwrap:
    '--bind --ro-bind --dev-bind --tmpfs --proc --dev --dir --symlink --setenv --unsetenv --chdir --uid --gid --hostname --file --seccomp',
  unshare: 'opens -S -G -R -w --setuid --setgid --root --wd --map-user --map-group --propagation --setgroups',
  nsenter: 'opens elsewhere -t -S -G --target --setuid --setgid',
  chroot: 'opens 1 --userspec --groups',
  'systemd-run':
    'gains -u -p -E -M -H -G --unit --property --setenv --machine --host --slice --uid --gid --on-calendar --on-active --on-boot --description',
  'systemd-inhibit': '--what --who --why --mode',
  'dbus-run-session': '',
  'xvfb-run': '-n -f -s -e -p -w --server-num --server-args --auth-file --error-file',
  flock: '1 -w -E --timeout --conflict-exit-code script:-c script:--command',
  watch: 'joins -n --interval -q --equexit',
  hyperfine: 'joins -w -m -M -r -p -c --warmup --runs --prepare --cleanup --setup --shell --export-json --export-markdown',
  chronic: '',
  choom: '-n -p',
  cpulimit: '-l -p -e -P',
  softlimit: '-a -c -d -f -l -m -o -p -r -s -t',
  uclampset: '-m -M -p',
  'aa-exec': '-p --profile -n --namespace',
  cgexec: '-g',
  'dbus-launch': '',
  'ssh-agent': '-a -t -P -E',
  valgrind: '',
  heaptrack: '-o -p',
  ifne: '',
  rlwrap: '-a -b -C -D -f -H -l -p -P -q -s -S -t',
  torsocks: '',
  torify: '',
  proxychains: '-f',
  proxychains4: '-f',
  script: 'opens 1 script:-c script:--command -o -O -I -B -T -t -m -E --log-out --log-in --log-io --log-timing',
  'start-stop-daemon': 'afterDashes script:-x script:--exec script:-a script:--startas -p -u -n -c -g -N -P -d -r -k',
  'dumb-init': '',
  tini: '',
  ssh: 'elsewhere opens joins 1 -B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w',
  pssh: 'elsewhere joins -h -H -l -p -o -e -t -O -x -X --hosts --host --user --par --outdir --errdir --timeout --options',
  pdsh: 'elsewhere joins -w -x -l -t -u -f -g -R',
  clush: 'elsewhere joins -w -g -x -X -l -t -u -f -o --user',
  dsh: 'elsewhere joins -m -g -f -r -o -n',
  mosh: 'elsewhere opens 1 -p --ssh --server --client --port',
  sshpass: '-p -f -d -P',
  'docker exec': 'elsewhere 1 -e -u -w --env --user --workdir --env-file --detach-keys',
  'docker run':
    'elsewhere 1 script:--entrypoint -e -u -w -v -p -m -h -l -a -c --name --env --user --workdir --volume --publish --mount --network --net --hostname --label --env-file --memory --cpus --platform --restart --add-host --device --cap-add --cap-drop --security-opt --tmpfs --ulimit --pid --ipc --gpus --log-driver --shm-size --dns --ip --link --pull',
  'docker compose':
    'only:exec,run elsewhere 2 -f -p -e -u -w --file --project-name --profile --env-file --env --user --workdir --entrypoint --name',
  'docker container': 'only:exec,run elsewhere 2 -e -u -w -v -p --env --user --workdir --env-file --detach-keys --name --volume --publish',
  'podman unshare': '',
  'docker-compose':
    'only:exec,run elsewhere 2 -f -p -e -u -w --file --project-name --profile --env-file --env --user --workdir --entrypoint --name',
  'kubectl exec': 'elsewhere afterDashes',
  'kubectl run': 'elsewhere afterDashes',
  'kubectl debug': 'elsewhere afterDashes',
  'oc exec': 'elsewhere afterDashes',
  'lxc exec': 'elsewhere afterDashes',
  'lxc-attach': 'elsewhere opens afterDashes',
  'machinectl shell': 'elsewhere opens 1 --uid --setenv',
  'machinectl exec': 'elsewhere 1',
  'distrobox enter': 'elsewhere opens afterDashes',
  'toolbox run': 'elsewhere -c -d -r --container',
  'vagrant ssh': 'elsewhere opens 1 script:-c script:--command',
  xargs: 'fills:{} -I -i -n -L -P -d -E -s -a -J -R --max-args --max-lines --max-procs --delimiter --eof --max-chars --arg-file --replace',
  parallel: 'fills:{} joins -j -a -I -N -n -L -S -d --jobs --arg-file --delay --timeout --retries --joblog --colsep --sshlogin --tmpdir',
  npx: '-p --package script:-c script:--call',
  bunx: '',
  uvx: '--from --with --python -p',
  'npm exec': '-p --package script:-c script:--call',
  'npm x': '-p --package script:-c script:--call',
  'pnpm exec': '',
  'pnpm dlx': '',
  'yarn exec': '',
  'yarn dlx': '',
  'pipx run': '--spec --python',
  'poetry run': '',
  'pipenv run': '',
  'pdm run': '',
  'hatch run': '',
  'uv run': '--with --python -p --env-file --directory --project --extra --group',
  'conda run': '-n -p --name --prefix --cwd',
  'bundle exec': '',
  'nix-shell': 'opens script:--run script:--command -p -I -A --arg --argstr',
  'nix develop': 'opens script:-c script:--command',
  'nix shell': 'opens script:-c script:--command',
  'direnv exec': '1',
  'systemctl reboot': 'verb',
  'systemctl poweroff': 'verb',
  'systemctl halt': 'verb',
  'systemctl kexec': 'verb',
  'loginctl reboot': 'verb',
  'loginctl poweroff': 'verb',
};

/** Programs that are spoken to like another one. */
const alike: Readonly<Record<string, string>> = {
  podman: 'docker',
  nerdctl: 'docker',
  microk8s: 'kubectl',
  k3s: 'kubectl',
  gtimeout: 'timeout',
  slogin: 'ssh',
  'parallel-ssh': 'pssh',
};

const table: ReadonlyMap<string, Wrapper> = new Map(Object.entries(rows).map(([name, text]) => [name, rowOf(text)]));

function rowOf(text: string): Wrapper {
  const words = text.split(' ').filter((word) => word !== '');
  const tagged = (tag: string) => words.filter((word) => word.startsWith(tag)).map((word) => word.slice(tag.length));
  return {
    values: new Set(words.filter((word) => word.startsWith('-'))),
    operands: Number(words.find((word) => /^\d$/.test(word)) ?? 0),
    assigns: words.includes('assigns'),
    afterDashes: words.includes('afterDashes'),
    joins: words.includes('joins'),
    scripts: new Set(tagged('script:')),
    gains: words.includes('gains'),
    elsewhere: words.includes('elsewhere'),
    opens: words.includes('opens'),
    fills: tagged('fills:')[0] ?? null,
    may: new Set(tagged('may:').flatMap((names) => names.split(','))),
    only: new Set(tagged('only:').flatMap((names) => names.split(','))),
    verb: words.includes('verb'),
  };
}

/** A row, and the index of the first argument (0: behind the program) that it is about. */
export interface FoundWrapper {
  readonly wrapper: Wrapper;
  readonly from: number;
}

/** Subcommands are looked for so far behind the program. */
const FARTHEST = 6;

/** The row for a program, or for it and its subcommand; null: it runs nothing but itself, as far as is known. */
export function wrapperOf(name: string, args: readonly string[]): FoundWrapper | null {
  const program = alike[name] ?? name;
  for (const [at, word] of args.slice(0, FARTHEST).entries()) {
    const wrapper = table.get(`${program} ${word}`);
    // Options and their values may stand before it.
    if (wrapper !== undefined && (at === 0 || isOption(args[at - 1]) || isOption(args[at - 2])))
      return { wrapper, from: wrapper.verb ? at : at + 1 };
  }
  const wrapper = table.get(program) ?? (LOADER.test(program) ? table.get('nohup') : undefined);
  return wrapper === undefined ? null : { wrapper, from: 0 };
}

/** The loader of the system runs the program that it is given. */
const LOADER = /^ld[\w.-]*\.so(?:\.\d+)*$/;

function isOption(word: string | undefined): boolean {
  return word?.startsWith('-') === true;
}
