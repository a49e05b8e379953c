/** Arguments of a model against the schema of an author. */

import { checkArguments } from '../../lib/extensions/user/schema-check.js';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    most: { type: 'integer', minimum: 1, maximum: 9 },
    how: { enum: ['fast', 'slow'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    deep: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
    odd: { type: ['string', 'null'] },
  },
  required: ['path'],
  additionalProperties: false,
};

test.each([[{ path: '/' }], [{ path: '/', most: 9, how: 'slow', tags: ['a', 'b'], deep: { on: true }, odd: null }]])('%j fits', (args) =>
  expect(() => checkArguments(args, schema)).not.toThrow(),
);

test.each([
  [{}, '"path" is required'],
  [{ path: 1 }, '"path" must be a string'],
  [{ path: '' }, '"path" must have at least 1 characters'],
  [{ path: '/', most: 1.5 }, '"most" must be an integer'],
  [{ path: '/', most: 0 }, '"most" must be at least 1'],
  [{ path: '/', most: 10 }, '"most" must be at most 9'],
  [{ path: '/', how: 'no' }, '"how" must be one of "fast", "slow"'],
  [{ path: '/', tags: ['a', 1] }, '"tags[1]" must be a string'],
  [{ path: '/', tags: ['a', 'b', 'c'] }, '"tags" must have at most 2 entries'],
  [{ path: '/', deep: {} }, '"deep.on" is required'],
  [{ path: '/', odd: 1 }, '"odd" must be a string or null'],
  [{ path: '/', more: 1 }, '"more" is not known; there are path, most, how, tags, deep, odd'],
])('%j: %s', (args, words) => expect(() => checkArguments(args, schema)).toThrow(words));

test('a schema that refers to itself for ever, and one with prototypes for names, are no harm', () => {
  const endless: Record<string, unknown> = { type: 'object' };
  endless['properties'] = { a: endless };
  let args: Record<string, unknown> = {};
  for (let depth = 0; depth < 1000; depth++) args = { a: args };
  expect(() => checkArguments(args, endless)).not.toThrow();
  expect(() => checkArguments(JSON.parse('{"__proto__": 1}'), { type: 'object', properties: {}, additionalProperties: false })).toThrow(
    '"__proto__" is not known',
  );
});
