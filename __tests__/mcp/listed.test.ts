/** What servers say of their tools, made into what every provider takes; names, arguments of prompts, results. */

import { promptArguments, promptsOf, resourcesOf, toolsOf } from '../../lib/mcp/listed.js';
import { resultOf } from '../../lib/mcp/results.js';
import { toolSchema } from '../../lib/mcp/schema.js';
import { isNameOf, toolName } from '../../lib/mcp/tool-names.js';
import { loneSurrogateIn, NAME, schemaFault } from '../support/strict/rules.js';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

test.each<readonly [string, object]>([
  ['nothing but an object', { type: 'object' }],
  ['no type', { properties: { a: { type: 'string' } } }],
  ['lists of types', object({ a: { type: ['string', 'null'] } })],
  ['anything', object({ a: {}, b: true })],
  ['lists without items', object({ a: { type: 'array' }, b: { type: 'array', items: [{ type: 'number' }] } })],
  [
    'branches',
    object({
      a: { oneOf: [{ type: 'string' }, { const: 5 }] },
      b: { allOf: [{ type: 'object' }, { properties: { c: { enum: ['x'] } } }] },
    }),
  ],
  ['references', { $defs: { t: object({ a: { type: 'string' } }) }, ...object({ t: { $ref: '#/$defs/t' } }) }],
  ['a circle', { $defs: { t: object({ t: { $ref: '#/$defs/t' } }) }, ...object({ t: { $ref: '#/$defs/t' } }) }],
  ['a reference to elsewhere', object({ t: { $ref: 'https://evil.example/schema' } })],
  ['required that is no property', object({}, { required: ['a'] })],
  ['half a character', object({ a: { type: 'string', description: 'x\ud800' }, b: { enum: ['\udc00', 'y'] } })],
  ['a choice of many kinds', object({ a: { enum: [1, 'b', null] }, b: { enum: [{}] }, c: { type: 'string', enum: [1] } })],
  ['bounds that are none', object({ a: { type: 'array', items: {}, minItems: -1, maxItems: 1.5 } })],
  [
    'branches at the top',
    { ...object({ a: { type: 'string' } }), anyOf: [{ required: ['a'] }], $schema: 'http://json-schema.org/draft-07/schema#' },
  ],
])('a schema with %s is one that strict servers take', (_what, raw) => {
  const found = toolSchema(raw);
  if ('problem' in found) throw new Error(found.problem);
  expect(schemaFault(found.schema, 'tool')).toBeNull();
  expect(loneSurrogateIn(found.schema)).toBeNull();
  expect(found.schema).toMatchObject({ type: 'object' });
  expect(JSON.stringify(found.schema)).not.toContain('$');
});

test('references that multiply are given up, and so is a schema that nests for ever', () => {
  const defs = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`d${at}`, object({ a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } })]),
  );
  expect(toolSchema({ $defs: defs, ...object({ a: { $ref: '#/$defs/d0' } }) })).toEqual({ problem: 'its schema is too large' });
  let deep: object = { type: 'string' };
  for (let at = 0; at < 5000; at++) deep = object({ a: deep });
  expect(toolSchema(deep)).toHaveProperty('schema');
});

test('names are such as every provider takes, stable, and never alike', () => {
  const names = [
    toolName('a', 'b'),
    toolName('a', 'b c'),
    toolName('a', 'b.c'),
    toolName('ä', 'b'),
    toolName('a', 'x'.repeat(90)),
    toolName('a', `${'x'.repeat(90)}y`),
  ];
  expect(names[0]).toBe('a__b');
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(NAME);
  expect(toolName('a', 'b c')).toBe(names[1]);
});

test('what cannot be seen in a description is named, and the same tool twice is told', () => {
  const b = { type: 'string', description: 'of\u202e it' };
  const tool = { name: 'a', description: 'plain\u200b\u{e0041} text', inputSchema: { type: 'object', properties: { b } } };
  const { tools, problems } = toolsOf([tool, tool]);
  expect(tools.map(({ schema }) => schema['properties'])).toEqual([{ b: { type: 'string', description: 'of<U+202E> it' } }]);
  expect(tools.map(({ description }) => description)).toEqual(['plain<U+200B><U+E0041> text']);
  expect(problems).toEqual(['it lists "a" twice']);
});

test('arguments of a prompt', () => {
  const prompt = {
    name: 'p',
    says: '',
    args: [
      { name: 'city', isRequired: true },
      { name: 'note', isRequired: false },
    ],
  };
  expect(promptArguments(prompt, 'city=Rome note="a \\"b\\" c"')).toEqual({ city: 'Rome', note: 'a "b" c' });
  expect(promptArguments(prompt, 'New York')).toEqual({ city: 'New York' });
  expect(() => promptArguments(prompt, 'note=x')).toThrow('it needs city=…');
});

test('parts of a result that are no text have a line; a structured answer that was said as text is not said twice', () => {
  const parts = [
    { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
    { type: 'resource', resource: { uri: 'x:1', text: 'hello' } },
    5,
    { type: 'image', mimeType: 'image/svg+xml', data: 'AAAA' },
  ];
  expect(resultOf({ content: parts }, 'S').text.split('\n')).toEqual([
    '[audio of the type audio/wav, 3 B: not shown]',
    '[resource x:1]',
    'hello',
    '[image of the type image/svg+xml, 3 B: not shown]',
  ]);
  const said = resultOf({ content: [{ type: 'text', text: '{"a": 1}' }], structuredContent: { a: 1 } }, 'S');
  expect(said.result).toEqual({ content: '{"a": 1}' });
  expect(resultOf({ structuredContent: { a: 1 } }, 'S')).toMatchObject({ result: { structured: { a: 1 } }, text: '{\n  "a": 1\n}' });
  expect(resultOf({}, 'S')).toMatchObject({ isError: false, text: '' });
});

test('no server can have a tool that is called as one of another server', () => {
  const names = [
    toolName('a', 'b__c'),
    toolName('a__b', 'c'),
    toolName('a', '_b'),
    toolName('a_', 'b'),
    toolName('a.b', 'c'),
    toolName('a_b', 'c'),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => NAME.test(name))).toBe(true);
  const owners = ['a', 'a__b', 'a', 'a_', 'a.b', 'a_b'];
  expect(owners.every((server, at) => isNameOf(server, names[at] ?? ''))).toBe(true);
  expect(isNameOf('a.b', 'run_shell')).toBe(false);
});

test('prompts and resources with names without end are left out', () => {
  const long = 'x'.repeat(5000);
  const prompts = promptsOf([{ name: 'a', arguments: [{ name: long }, { name: 'b' }] }, { name: long }]);
  expect(prompts).toEqual([{ name: 'a', says: '', args: [{ name: 'b', isRequired: false }] }]);
  const resources = resourcesOf([{ uri: `x:${long}` }, { uri: 'x:1', name: long }]);
  expect(resources.map(({ uri, name }) => [uri, name.length])).toEqual([['x:1', 200]]);
});

test('a description that is cut, or holds half a character, is one that can be sent', () => {
  const described = (description: string) => toolsOf([{ name: 'a', description, inputSchema: { type: 'object' } }]).tools[0]?.description;
  expect(described(`${'x'.repeat(3999)}\u{1f600}`)?.isWellFormed()).toBe(true);
  expect(described('a\ud800b')).toBe('a\ufffdb');
});
