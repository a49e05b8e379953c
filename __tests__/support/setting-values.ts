/** Values for rows of the table of settings. */

import type { SettingRow } from '../../lib/config/settings.js';

/** Some value that the row takes and that is not its default. */
export function anotherValue({ kind, initial }: SettingRow<unknown>): unknown {
  const candidates = [!initial, 'evil', ['evil.example'], ['gap', 'hints'], 1, 7, 40, 600, 0.3];
  const found = candidates.find((value) => kind.fromToml(value) !== undefined && JSON.stringify(value) !== JSON.stringify(initial));
  if (found !== undefined) return found;
  return [...kind.expected.matchAll(/"(\w+)"/g)].map(([, word]) => word).find((word) => word !== initial);
}
