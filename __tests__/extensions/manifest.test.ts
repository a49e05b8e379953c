/** What an extension says it has: what is none of it is refused with one sentence. */

import { readManifest } from '../../lib/extensions/user/manifest.js';

const tool = { name: 'look', description: 'Looks.', parameters: { type: 'object' }, runs: true };
const withParameters = (more: object) => ({ name: 'mine', tools: [{ ...tool, parameters: { type: 'object', ...more } }] });

test('all parts, with what is left out filled in', () => {
  const manifest = readManifest({
    name: 'mine',
    tools: [tool, { ...tool, name: 'peek', review: 'allow' }],
    commands: [{ name: 'do', says: 'Does.', runs: true }],
    keys: [{ key: 'alt+t', line: '/do', says: 'Does it.' }],
    themes: { dusk: { tokens: {} } },
    widgets: [{ id: 'w', title: 't', lines: [] }],
    hooks: ['before_tool_call'],
  });
  expect(manifest.tools.map(({ name, asks }) => [name, asks])).toEqual([
    ['look', true],
    ['peek', false],
  ]);
  expect(manifest.commands).toEqual([{ name: 'do', says: 'Does.', args: '' }]);
  expect(manifest.hooks).toEqual(['before_tool_call']);
});

test.each([
  [null, 'the extension must be an object'],
  [{}, 'the extension needs a "name"'],
  [{ name: 'Mine!' }, 'the extension needs a "name"'],
  [{ name: 'mine', tolls: [] }, '"tolls" is no part of an extension'],
  [{ name: 'mine', tools: {} }, '"tools" must be a list'],
  [{ name: 'mine', tools: [1] }, 'each entry of "tools" must be an object'],
  [{ name: 'mine', tools: [{ ...tool, runs: false }] }, 'tool look has no function "run"'],
  [{ name: 'mine', tools: [{ ...tool, description: '' }] }, 'tool look needs "description"'],
  [
    { name: 'mine', tools: [{ ...tool, parameters: { type: 'string' } }] },
    '"parameters" of tool look must be a JSON Schema with type "object"',
  ],
  [withParameters({ properties: { path: 'string' } }), 'is no JSON Schema: "path" must be an object'],
  [
    withParameters({ properties: { of: { properties: { path: { type: 'str' } } } } }),
    'is no JSON Schema: the type of "of.path" must be one of',
  ],
  [withParameters({ properties: { names: { type: 'array' } } }), 'is no JSON Schema: "names" is a list and needs "items"'],
  [withParameters({ properties: { names: { type: 'array', items: 'string' } } }), 'is no JSON Schema: "names[]" must be an object'],
  [withParameters({ required: 'path' }), 'is no JSON Schema: "required" of it must be a list of names'],
  [withParameters({ properties: [] }), 'is no JSON Schema: "properties" of it must be an object'],
  [{ name: 'mine', tools: [{ ...tool, review: 'never' }] }, '"review" of tool look must be "ask" or "allow"'],
  [{ name: 'mine', tools: Array.from({ length: 65 }, () => tool) }, '"tools" has more than 64 entries'],
  [{ name: 'mine', commands: [{ name: 'a b', says: 'x', runs: true }] }, 'a command needs a "name"'],
  [{ name: 'mine', keys: [{ key: 'alt+t', line: 'rm -rf /', says: 'x' }] }, 'a key stands for a slash command'],
  [{ name: 'mine', keys: [{ key: 'nonsense', line: '/do', says: 'x' }] }, '"nonsense" is no key with Ctrl or Alt'],
  [{ name: 'mine', keys: [{ key: 'a', line: '/do', says: 'x' }] }, '"a" is no key with Ctrl or Alt'],
  [{ name: 'mine', hooks: ['before_everything'] }, 'there is no hook "before_everything"'],
  [{ name: 'mine', themes: { '../x': {} } }, '"../x" is no name for a theme'],
])('%j: %s', (value, words) => expect(() => readManifest(value)).toThrow(words));
