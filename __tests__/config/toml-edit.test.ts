/** One key of a TOML text is changed; everything else, comments above all, stays byte for byte. */

import { BuddyError } from '../../lib/base/errors.js';
import { isTable, parseToml, type TomlTable } from '../../lib/config/toml.js';
import { editedToml, lineOfKey, type TomlValue } from '../../lib/config/toml-edit.js';
import { tomlPieces } from '../../lib/config/toml-pieces.js';
import { packedCorpus } from '../support/corpus.js';

const set = (source: string, key: string, value: TomlValue) => editedToml(source, 'f.toml', key.split('.'), value);
const reset = (source: string, key: string) => editedToml(source, 'f.toml', key.split('.'), undefined);
const refusal = async (edit: Promise<string>) => {
  const thrown = await edit.then(
    (text) => text,
    (error: unknown) => error,
  );
  if (thrown instanceof BuddyError) return `${thrown.code}: ${thrown.message}`;
  throw new Error(`not refused: ${String(thrown)}`);
};

const file = '# mine\n[agent]\nname = "a"  # who\n\n# below\n[tools]\n  shell_confirm = true # ask\n\n[models.x]\nmodel = "m"\n';

test.each<readonly [source: string, key: string, value: TomlValue, after: string]>([
  [file, 'tools.shell_confirm', false, file.replace('= true #', '= false #')],
  [file, 'agent.name', 'é "q"\n', file.replace('"a"  #', '"é \\"q\\"\\n"  #')],
  // A new key stands below the last one of its table, and as far in.
  [file, 'agent.model', 'x', file.replace('# who\n', '# who\nmodel = "x"\n')],
  [file, 'tools.files_enabled', true, file.replace('# ask\n', '# ask\n  files_enabled = true\n')],
  // A table that is not there comes last.
  [file, 'editor.mode', 'vi', `${file}\n[editor]\nmode = "vi"\n`],
  [file, 'models.y', 'z', `${file}\n[models]\ny = "z"\n`],
  ['', 'editor.mode', 'vi', '[editor]\nmode = "vi"\n'],
  ['[a]', 'a.b', 1, '[a]\nb = 1'],
  ['[a]\nb = 1', 'a.c', ['x', 'y'], '[a]\nb = 1\nc = ["x", "y"]'],
  ['x = 1 # no end', 'a.c', 2, 'x = 1 # no end\n\n[a]\nc = 2\n'],
  ['[a]\r\nb = 1\r\n[c]\r\n', 'a.d', true, '[a]\r\nb = 1\r\nd = true\r\n[c]\r\n'],
  ['[a]\r\nb = 1\r\n', 'c.d', true, '[a]\r\nb = 1\r\n\r\n[c]\r\nd = true\r\n'],
  ['\ufeff[a]\nb = 1\n', 'a.b', 2, '\ufeff[a]\nb = 2\n'],
  // Dotted keys, quoted keys, inline tables.
  ['tools.x = 1\n[agent]\n', 'tools.y', 2, 'tools.x = 1\ntools.y = 2\n[agent]\n'],
  ['tools . "x" = 1 # c\n', 'tools.x', 2, 'tools . "x" = 2 # c\n'],
  ['["too\\u006Cs"]\n\'x\' = 1\n', 'tools.x', 2, '["too\\u006Cs"]\n\'x\' = 2\n'],
  ['tools = { x = 1, y = "}" } # c\n', 'tools.x', 2, 'tools = { x = 2, y = "}" } # c\n'],
  ['tools = { x = 1 }\n', 'tools.y', 2, 'tools = { x = 1, y = 2 }\n'],
  ['tools = {}\n', 'tools.y', 2, 'tools = { y = 2 }\n'],
  ['a.b = 1\n', 'c', 2, 'a.b = 1\nc = 2\n'],
  ['# head\n[a]\n', 'c', 2, 'c = 2\n# head\n[a]\n'],
  // Lists over several lines, strings that look like something else.
  ['[a]\nb = [\n  "x",\n  "# no comment ]",\n]\nc = 1\n', 'a.b', ['z'], '[a]\nb = ["z"]\nc = 1\n'],
  ['a.b = """\n# no\n[x]\ny = 1\n""""\na.c = 1\n', 'a.c', 2, 'a.b = """\n# no\n[x]\ny = 1\n""""\na.c = 2\n'],
  ['d.e = 1979-05-27 07:32:00Z # when\n', 'd.e', 'then', 'd.e = "then" # when\n'],
])('set in %j: %s', async (source, key, value, after) => {
  expect(await set(source, key, value)).toBe(after);
});

test.each<readonly [source: string, key: string, after: string]>([
  [file, 'agent.name', file.replace('name = "a"  # who', '# who')],
  [file, 'tools.shell_confirm', file.replace('shell_confirm = true # ask', '# ask')],
  [file, 'tools.none', file],
  ['[a]\nb = 1\nc = 2\n', 'a.b', '[a]\nc = 2\n'],
  ['[a]\nb = 1\nc = 2', 'a.c', '[a]\nb = 1\n'],
  ['[a]\r\nb = [\r\n 1,\r\n]\r\nc = 2\r\n', 'a.b', '[a]\r\nc = 2\r\n'],
  ['a.b = 1\n', 'a.b', ''],
  ['t = { x = 1, y = 2 }\n', 't.x', 't = { y = 2 }\n'],
  ['t = { x = 1, y = 2 }\n', 't.y', 't = { x = 1 }\n'],
  ['\ufeffa.b = 1\nc = 2\n', 'a.b', '\ufeffc = 2\n'],
])('reset in %j: %s', async (source, key, after) => {
  expect(await reset(source, key)).toBe(after);
});

test('what cannot be done without losing something is refused with the line, and says why', async () => {
  const commented = '[a]\nb = [ # why\n  "x",\n]\n';
  expect(await refusal(set(commented, 'a.b', ['y']))).toBe(
    'config.edit: f.toml:2: a.b cannot be changed here: a comment within the value would be lost',
  );
  expect(await refusal(reset(commented, 'a.b'))).toContain('a comment within the value would be lost');
  expect(await refusal(set('[agent]\nx = 1\n[agent]\ny = 1\n', 'agent.x', 2))).toMatch(/^config\.syntax: f\.toml:3:/);
  expect(await refusal(set('[[agent]]\nx = 1\n', 'agent.x', 2))).toContain('there is something else of that name');
  expect(await refusal(set('agent = 1\n', 'agent.x', 2))).toContain('there is something else of that name');
  expect(await refusal(set('', 'a.b', '\ud800'))).toMatch(/^config\.edit: f\.toml:1: a\.b cannot be changed here/);
});

test('the line of a key', () => {
  expect(lineOfKey(file, ['tools', 'shell_confirm'])).toBe(7);
  expect(lineOfKey('# c\nt = { x = 1,\n y = 2 }\n', ['t', 'y'])).toBe(3);
  expect(lineOfKey(file, ['agent', 'model'])).toBeNull();
});

const corpus = packedCorpus('toml-test.tgz', '.toml').filter(({ name }) => name.includes('/valid/'));

/** Every key of every table, and a new one in each. */
function pathsOf(table: TomlTable, base: readonly string[] = []): (readonly string[])[] {
  const inner = Object.entries(table).flatMap(([key, value]) => (isTable(value) ? pathsOf(value, [...base, key]) : [[...base, key]]));
  return [...inner, [...base, 'brand_new']];
}

/** The leaves, with what a Date or a big number is written like. */
function leaves(value: unknown, at = ''): readonly string[] {
  if (!isTable(value) && !Array.isArray(value))
    return [`${at} ${typeof value} ${value instanceof Date ? value.toISOString() : String(value)}`];
  return Object.entries(value).flatMap(([key, of]) => leaves(of, `${at}/${JSON.stringify(key)}`));
}

(corpus.length > 0 ? test : test.skip)(
  'of every valid file of toml-test every key can be set and taken out, and nothing else changes',
  async () => {
    let edits = 0;
    const refused: string[] = [];
    const wrong: string[] = [];
    for (const { name, bytes } of corpus) {
      const source = bytes.toString('utf8');
      const old = await parseToml(source, name).catch(() => null);
      if (old === null) continue;
      for (const path of pathsOf(old)) {
        for (const value of ['changed', undefined]) {
          edits += 1;
          const says = `${name} ${path.join('.')} ${value ?? 'reset'}`;
          const text = await editedToml(source, name, path, value).catch((thrown: unknown) => {
            if (!(thrown instanceof BuddyError)) throw thrown;
            // Lists of tables have no one place; a comment within a value would be lost with it.
            const isLossless =
              /comment within/.test(thrown.message) || Array.isArray(path.reduce<unknown>((at, key) => (at as TomlTable)[key], old));
            if (!isLossless) refused.push(`${says}: ${thrown.message}`);
            return null;
          });
          if (text === null) continue;
          const here = path.map((part) => `/${JSON.stringify(part)}`).join('');
          const others = (table: unknown) => leaves(table).filter((leaf) => !leaf.startsWith(`${here} `) && !leaf.startsWith(`${here}/`));
          const now = await parseToml(text, name);
          const isRight =
            JSON.stringify(others(now)) ===
              JSON.stringify(others(old).toSorted((a, b) => others(now).indexOf(a) - others(now).indexOf(b))) &&
            leaves(now).includes(`${here} string changed`) === (value !== undefined) &&
            JSON.stringify(tomlPieces(text).comments) === JSON.stringify(tomlPieces(source).comments);
          if (!isRight) wrong.push(says);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(edits).toBeGreaterThan(1500);
    expect(refused).toEqual([]);
  },
  60_000,
);
