/** Keys as people read them. */

const words: Readonly<Record<string, string>> = {
  enter: 'Enter',
  escape: 'Esc',
  tab: 'Tab',
  space: 'Space',
  backspace: 'Backspace',
  delete: 'Del',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
};

/** A key as people read it: `Ctrl+O`, `Alt+Enter`, `PgDn`. */
export function keyLabel(key: string): string {
  if (key.includes(' ')) return key.split(' ').map(keyLabel).join(' ');
  const parts = /^((?:[CMS]-)*)(.+)$/.exec(key);
  const chord = parts?.[1] ?? '';
  const name = parts?.[2] ?? key;
  const base = words[name] ?? (/^f\d+$/.test(name) || (chord !== '' && name.length === 1) ? name.toUpperCase() : name);
  return `${chord.replace('C-', 'Ctrl+').replace('M-', 'Alt+').replace('S-', 'Shift+')}${base}`;
}
