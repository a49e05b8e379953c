/** Values of settings as they are shown and typed. */

import { shownValue, typedForm, typedValue } from '../../lib/config/setting-words.js';
import { type SettingRow, settingRows } from '../../lib/config/settings.js';
import { anotherValue } from '../support/setting-values.js';

const rows = Object.entries(settingRows) as readonly (readonly [string, SettingRow<unknown>])[];
const odd = ['', ' edge ', 'two\nlines', '"quoted"', "it's", '[x]', 'a, b', '\x7f\x01', 'ü日', '\\d+'];
const valuesOf = (row: SettingRow<unknown>) => {
  const texts = row.kind.fromToml('x') === 'x' ? odd : [];
  const lists = row.kind.fromToml(['x']) !== undefined && row.kind.known === undefined ? [odd, [], ['one']] : [];
  const another = row.kind.known === undefined ? [anotherValue(row)] : [row.kind.known.slice(0, 2)];
  return [row.initial, ...another, ...texts, ...lists].filter((value) => value != null);
};

test.each(rows)('%s: what is shown for changing it makes the same value again', async (_key, row) => {
  for (const value of valuesOf(row)) {
    expect(typedForm(value)).not.toMatch(/[\x00-\x1f\x7f]/);
    expect(await typedValue(row, typedForm(value))).toEqual({ value });
  }
});

test('what is no value says what would be one', async () => {
  const wrong = async (key: keyof typeof settingRows, text: string) => typedValue(settingRows[key] as SettingRow<unknown>, text);
  expect(await wrong('agent.max_iterations', '0')).toEqual({ wrong: 'must be a whole number from 1 to 1000' });
  expect(await wrong('agent.temperature', '')).toEqual({ wrong: 'must be a number from 0 to 2' });
  expect(await wrong('display.notify', 'loud')).toEqual({ wrong: 'must be one of "auto", "bell", "off"' });
  expect(await wrong('tools.shell_confirm', 'perhaps')).toEqual({ wrong: 'must be true or false' });
  expect(await wrong('tools.shell_denylist', '["a"')).toEqual({ wrong: 'must be a list of strings, such as ["one", "two"]' });
  expect(await wrong('screen.footer', 'hints, colour')).toMatchObject({
    wrong: expect.stringMatching(/^knows no "colour"; there are name, /),
  });
  expect(await wrong('agent.name', '"a"\nb = 1')).toEqual({ wrong: 'must be a string in quotes' });
  expect(await wrong('tools.shell_confirm', 'off')).toEqual({ value: false });
});

test('a password in an address is not shown', () => {
  expect(shownValue('https://me:secret@host/x')).toBe('"https://me:•••@host/x"');
  expect(typedForm('https://me:secret@host/x')).toBe('');
  expect(shownValue(null)).toBe('not set');
});
