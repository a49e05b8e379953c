/** Depth of JSON. */

import { isTooDeep } from '../../lib/base/json-depth.js';

test.each([
  ['[]', false],
  [`${'['.repeat(200)}${']'.repeat(200)}`, false],
  [`${'['.repeat(201)}${']'.repeat(201)}`, true],
  [`${'{"a":'.repeat(300)}1`, true],
  ['[{}],'.repeat(1000), false],
  [`{"a": "${'['.repeat(1000)}"}`, false],
  [`{"a": "\\\\\\"${'['.repeat(1000)}"}`, false],
  [`{"a\\\\": ${'['.repeat(1000)}`, true],
  [`"${'['.repeat(1000)}`, false],
])('%#', (json, expected) => expect(isTooDeep(json)).toBe(expected));
