/** What the file of a project may do, key by key, and how its files are opened. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import { type LoadedConfig, loadConfig } from '../../lib/config/load.js';
import { profileRows } from '../../lib/config/profiles.js';
import { readProject, type TrustRecord } from '../../lib/config/project.js';
import { onlySmaller } from '../../lib/config/project-rule.js';
import { defaultSettings, type SettingKey, type SettingRow, settingRows } from '../../lib/config/settings.js';
import { anotherValue } from '../support/setting-values.js';

let root: string;
let folder: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'buddy-project-')));
  folder = join(root, 'repo');
  mkdirSync(join(root, 'home', '.config', 'buddy'), { recursive: true });
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const project = (text: string, name = 'buddy.toml') => writeFileSync(join(folder, name), text);
const own = (text: string) => writeFileSync(join(root, 'home', '.config', 'buddy', 'buddy.toml'), text);
const host = (env: Readonly<Record<string, string>> = {}) => ({ env, cwd: folder, homeDir: join(root, 'home') }) as unknown as Host;

/** The configuration when the person has said yes to what is in the folder now. */
async function trusted(env: Readonly<Record<string, string>> = {}): Promise<LoadedConfig> {
  const { project: seen } = await loadConfig({ host: host(env) });
  return loadConfig({ host: host(env), trust: (of) => (of === folder ? { state: 'trusted', hash: seen.hash, shown: {} } : null) });
}

/** Every key that a project may touch, a value that is allowed, what it becomes, and one that is refused. */
const allowed: Partial<Record<SettingKey, readonly [stricter: unknown, inForce: unknown, looser: unknown]>> = {
  'agent.max_iterations': [3, 3, 1000],
  'agent.temperature': [0.5, 0.5, undefined],
  'agent.top_p': [0.5, 0.5, undefined],
  'sessions.save': [false, false, undefined],
  'context.auto_compact': [false, false, undefined],
  'context.compact_at': [50, 50, undefined],
  'context.keep_tokens': [1000, 1000, undefined],
  'context.files': [false, false, undefined],
  'tools.shell_enabled': [false, false, undefined],
  'tools.fetch_enabled': [false, false, undefined],
  'tools.files_enabled': [false, false, undefined],
  'tools.search_enabled': [false, false, undefined],
  'tools.shell_confirm': [true, true, false],
  'tools.fetch_confirm': [true, true, undefined],
  'tools.fetch_blocked_domains': [['bad.example'], ['bad.example'], undefined],
  'tools.shell_denylist': [['terraform destroy', ' '], [...settingRows['tools.shell_denylist'].initial, 'terraform destroy'], undefined],
  'tools.exposure_narrows': [true, true, false],
  'limits.prompt_minutes': [60, 60, 0],
  'limits.session_tokens': [5000, 5000, undefined],
  'limits.session_cost': [0.5, 0.5, undefined],
  'limits.repeats': [2, 2, 4],
  'limits.denials': [1, 1, 0],
  'limits.result_kib': [64, 64, 512],
  'limits.jobs': [5, 5, 21],
  'limits.retries': [1, 1, 4],
  'limits.retry_wait_secs': [10, 10, 61],
  'limits.stream_event_kib': [1024, 1024, 8192],
  'limits.stream_total_mib': [8, 8, 65],
  'network.api_timeout_secs': [5, 5, 86_400],
  'network.fetch_timeout_secs': [5, 5, 86_400],
  'display.persist_history': [false, false, undefined],
  'tmux.max_sessions': [1, 1, 64],
  'tmux.max_panes': [2, 2, 64],
  'ssh.connect_timeout_secs': [2, 2, 600],
};

const rows = Object.entries(settingRows) as [SettingKey, SettingRow<unknown>][];

const line = (key: string, value: unknown) => {
  const [table = '', name = ''] = key.split('.');
  return `# a project\n[${table}]\n${name} = ${JSON.stringify(value)}\n`;
};

describe('every setting', () => {
  test('those that a project may touch are the ones in this list', () => {
    expect(rows.filter(([, row]) => row.project !== undefined).map(([key]) => key)).toEqual(
      rows.map(([key]) => key).filter((key) => key in allowed),
    );
  });

  test.each(rows.filter(([, row]) => row.project === undefined))('%s is never taken from a project', async (key, row) => {
    const value = anotherValue(row);
    expect(row.kind.fromToml(value)).toBeDefined();
    project(line(key, value));
    const { settings, warnings, sources } = await trusted();
    expect(settings).toEqual({ ...defaultSettings(), 'agent.model': 'demo' });
    expect([...sources]).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^${folder}/buddy\\.toml:3: ${key} is refused: (?!only you).{20,}`))]);
  });

  test.each(Object.entries(allowed))('%s only becomes stricter', async (key, [stricter, inForce, looser]) => {
    project(line(key, stricter));
    const strict = await trusted();
    expect(strict.settings).toEqual({ ...defaultSettings(), 'agent.model': 'demo', [key]: inForce });
    expect(strict.warnings).toEqual([]);
    expect([...strict.sources]).toEqual([[key, join(folder, 'buddy.toml')]]);
    if (looser === undefined) return;
    project(line(key, looser));
    const loose = await trusted();
    expect(loose.settings).toEqual({ ...defaultSettings(), 'agent.model': 'demo' });
    expect(loose.warnings).toEqual([expect.stringContaining(`${key} is refused: a project may only`)]);
  });

  test.each(['tools.shell_confirm', 'tools.fetch_confirm', 'sessions.save', 'tools.shell_enabled', 'tools.files_enabled'] as const)(
    '%s of the person stands when it is the stricter one',
    async (key) => {
      const strict = key.endsWith('_confirm');
      own(line(key, strict));
      project(line(key, !strict));
      expect((await trusted()).settings[key]).toBe(strict);
    },
  );
});

test('no limit at all is more than any limit', () => {
  expect([onlySmaller.combine(20, 0), onlySmaller.combine(0, 20), onlySmaller.combine(0, 0), onlySmaller.combine(20, 20)]).toEqual([
    null,
    20,
    0,
    20,
  ]);
});

test('the denylist of the person stays, whatever the project lists', async () => {
  own('[tools]\nshell_denylist = ["halt", "git push"]\n');
  project('[tools]\nshell_denylist = []\n');
  expect((await trusted()).settings['tools.shell_denylist']).toEqual(['halt', 'git push']);
});

test('environment and command line stand above a project', async () => {
  project('[network]\napi_timeout_secs = 5\n');
  expect((await trusted({ BUDDY_API_TIMEOUT_SECS: '60' })).settings['network.api_timeout_secs']).toBe(60);
});

test('no key of a profile, and no other table, is taken: each is refused with its line', async () => {
  const keys = Object.keys(profileRows);
  const tables = [
    '[api]',
    'api_base_url = "http://evil.example/v1"',
    '[[models_catalog]]',
    'pattern = "*"',
    '[themes.x]',
    'text = "#000000"',
  ];
  const more = ['[keys]', 'zoom = "f5"', '[mcp]', 'command = "sh"', '["tools.shell_confirm"]', 'x = false'];
  project(['[models.evil]', ...keys.map((key) => `${key} = "x"`), ...tables, ...more, ''].join('\n'));
  const config = await trusted();
  expect(config.profile.name).toBe('demo');
  expect(config.profiles.some(({ name }) => name === 'evil')).toBe(false);
  expect({ themes: config.themes, keys: config.keys, catalogue: config.catalogue }).toEqual({ themes: {}, keys: [], catalogue: [] });
  const { lines, values } = await readProject(config.project, new Map());
  expect(values.size).toBe(0);
  expect(lines.every(({ applies, says }) => !applies && says.startsWith('refused: '))).toBe(true);
  expect(lines.slice(0, keys.length).map(({ key, where }) => `${where} ${key}`)).toEqual(
    keys.map((key, at) => `buddy.toml:${at + 2} models.evil.${key}`),
  );
  expect(config.warnings.at(-1)).toMatch(/^\d+ more keys of it are refused/);
});

describe('without a yes', () => {
  const record = (of: Partial<TrustRecord>) => ({ state: 'trusted', hash: '', shown: {}, ...of }) as const;

  test('nothing of it holds, and it is named', async () => {
    project('[agent]\nmax_iterations = 3\n');
    const { settings, warnings, project: found } = await loadConfig({ host: host() });
    expect(settings['agent.max_iterations']).toBe(20);
    expect(found.trust).toBe('untrusted');
    expect(warnings).toEqual([expect.stringMatching(/buddy\.toml is ignored: .*\/trust shows/)]);
  });

  test('nor of what was changed since, or of another folder, or where nothing more is to be heard of it', async () => {
    project('[agent]\nmax_iterations = 3\n');
    const { hash } = (await loadConfig({ host: host() })).project;
    project('[agent]\nmax_iterations = 2\n');
    const changed = await loadConfig({ host: host(), trust: () => record({ hash }) });
    expect([changed.settings['agent.max_iterations'], changed.project.trust, changed.warnings]).toEqual([
      20,
      'changed',
      [expect.stringContaining('it is not what you trusted')],
    ]);
    const muted = await loadConfig({ host: host(), trust: () => record({ state: 'muted' }) });
    expect([muted.settings['agent.max_iterations'], muted.warnings]).toEqual([20, []]);
  });

  test('a profile that only the project has cannot be asked for', async () => {
    own('[models.mine]\napi_base_url = "http://127.0.0.1:1/v1"\n');
    project('[agent]\nname = "x"\n[models.theirs]\napi_base_url = "http://evil.example/v1"\n');
    const asked = (model: string) => loadConfig({ host: host(), overrides: { model } });
    await expect(asked('theirs')).rejects.toMatchObject({
      code: 'config.value',
      message: '--model: there is no model profile "theirs" of yours, and the one in buddy.toml:3 is never used',
    });
    expect((await asked('mine')).profile.name).toBe('mine');
    expect((await asked('some/model')).profile).toMatchObject({ name: 'mine', model: 'some/model' });
  });
});

describe('what is no plain file is named and never opened', () => {
  const told = async () => (await loadConfig({ host: host() })).warnings.map((text) => text.replaceAll(root, ''));

  test('a pipe that nobody writes to', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'buddy.toml')]);
    expect(await told()).toEqual(['/repo/buddy.toml is ignored: it is a pipe']);
  });

  test.each([
    ['a secret outside', '../secret', 'a symbolic link'],
    ['itself', 'buddy.toml', 'a symbolic link'],
    ['a device', '/dev/zero', 'a symbolic link'],
  ])('a link to %s', async (_what, to, kind) => {
    writeFileSync(join(root, 'secret'), '[agent]\nmax_iterations = 3\n');
    symlinkSync(to, join(folder, 'buddy.toml'));
    expect(await told()).toEqual([`/repo/buddy.toml is ignored: it is ${kind}`]);
  });

  test('a folder, something huge, something that is no text', async () => {
    mkdirSync(join(folder, 'buddy.toml'));
    expect(await told()).toEqual(['/repo/buddy.toml is ignored: it is a folder']);
    rmSync(join(folder, 'buddy.toml'), { recursive: true });
    project(`#${'x'.repeat(64 * 1024)}`);
    expect(await told()).toEqual(['/repo/buddy.toml is ignored: it is larger than 64 KiB']);
    writeFileSync(join(folder, 'buddy.toml'), Buffer.from([0xff, 0xfe, 0x00]));
    expect(await told()).toEqual(['/repo/buddy.toml is ignored: it is not UTF-8']);
  });

  test('that of two names for instructions one is read is no warning', async () => {
    project('a', 'AGENTS.md');
    project('b', 'CLAUDE.md');
    expect((await trusted()).warnings).toEqual([]);
  });

  test('agent.toml is the older name, and is not read beside the newer one', async () => {
    project('[agent]\nmax_iterations = 4\n', 'agent.toml');
    expect((await trusted()).settings['agent.max_iterations']).toBe(4);
    project('[agent]\nmax_iterations = 5\n');
    const both = await trusted();
    expect(both.settings['agent.max_iterations']).toBe(5);
    expect(both.warnings).toEqual([`${folder}/agent.toml is ignored: there is buddy.toml beside it`]);
  });

  test('a trusted file that is no TOML, deep or full of keys does no harm', async () => {
    for (const text of ['this is [not even TOML', `x = ${'['.repeat(20_000)}`, '[__proto__]\nx = 1\n', '[constructor]\nname = 1\n']) {
      project(text);
      const { settings, warnings } = await trusted();
      expect(settings).toEqual({ ...defaultSettings(), 'agent.model': 'demo' });
      expect(warnings).toHaveLength(1);
    }
  });
});
