// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how the places of a prompt template are written.

/** Prompt templates: names, heads, and what is filled in. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { typedWords } from '../../lib/base/shell-words.js';
import { findProjectFiles } from '../../lib/config/project-files.js';
import { filledTemplate } from '../../lib/context/template.js';
import { collectTemplates } from '../../lib/context/templates.js';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'buddy-prompts-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};

test.each([
  ['', []],
  ['  one  two ', ['one', 'two']],
  ['"a b" \'c d\' e', ['a b', 'c d', 'e']],
  ['a"b c"d', ['ab cd']],
  ['"" \'\'', ['', '']],
  ['a\\ b \\"c', ['a b', '"c']],
  ['"say \\"x\\" \\n"', ['say "x" \\n']],
  ["'it\\'", ['it\\']],
  ['"no end of it', ['no end of it']],
  ["it's here", ['its here']],
  ['end\\', ['end\\']],
  ['one\ntwo\tthree', ['one', 'two', 'three']],
  ['$HOME `x` $(y) *', ['$HOME', '`x`', '$(y)', '*']],
])('%j is the words %j', (line, words) => {
  expect(typedWords(line)).toEqual(words);
});

test.each([
  ['$1 and $2', 'a b', 'a and b'],
  ['$1-$10', 'a b c d e f g h i j', 'a-j'],
  ['[$3]', 'a', '[]'],
  ['$@', 'a "b c"', 'a b c'],
  ['$ARGUMENTS', 'a "b c"', 'a b c'],
  ['${@:2}', 'a b c', 'b c'],
  ['${@:2:1}', 'a b c', 'b'],
  ['${@:0}', 'a b', 'a b'],
  ['${@:9}|${@:2:0}', 'a b', '|'],
  ['$1 $@', '$2 $ARGUMENTS ${@:1}', '$2 $2 $ARGUMENTS ${@:1}'],
  ['$1', "'$&' $1", '$&'],
  ['costs $5.00 of ${HOME} $x $', 'a', 'costs .00 of ${HOME} $x $'],
  ['no place', 'a b', 'no place'],
])('%j with %j', (body, args, filled) => {
  expect(filledTemplate(body, args)).toBe(filled);
});

test('the names of files are commands; the first of a name counts, a built-in one before all', async () => {
  put('own/review.md', '---\ndescription: Review it\nargument-hint: <file>\n---\nReview $1.\n');
  put('own/plain.md', '\nLook at this closely, very closely indeed, and tell me what you think of it.\n');
  put('own/help.md', 'x');
  put('own/my prompt.md', 'x');
  put('own/empty.md', '---\ndescription: x\n---\n');
  put('own/broken.md', '---\ndescription: [\n---\nx');
  put('own/below/no.md', 'x');
  put('own/notes.txt', 'x');
  put('repo/.buddy/prompts/review.md', 'theirs');
  put('repo/.buddy/prompts/theirs.md', 'theirs $@');
  put('repo/.buddy/prompts/below/no.md', 'x');
  const found = findProjectFiles(join(root, 'repo'), { uid: process.getuid?.() ?? null, file: null, folders: [] });
  const { templates, faults } = await collectTemplates(join(root, 'own'), found, async () => ['help', '?']);
  expect(templates.map(({ name, args, description, body }) => [name, args, description, body])).toEqual([
    ['plain', '', 'Look at this closely, very closely indeed, and tell me what …', expect.stringMatching(/^Look.*of it\.$/)],
    ['review', '<file>', 'Review it', 'Review $1.'],
    ['theirs', '', 'theirs $@', 'theirs $@'],
  ]);
  expect(faults).toEqual([
    expect.stringMatching(/own\/broken\.md:\d: this is not YAML/),
    expect.stringMatching(/own\/empty\.md: it says nothing/),
    expect.stringMatching(/own\/help\.md: \/help is a command of this program/),
    expect.stringMatching(/own\/my prompt\.md: its name must be letters/),
    expect.stringMatching(/prompts\/review\.md: there is a template "review" already, .*own\/review\.md/),
  ]);
});
