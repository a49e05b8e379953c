/** What extensions are and show, as people see it. */

import type { RuntimeEvent } from '../protocol/events.js';
import type { ExtensionInfo, ExtensionWidget } from '../protocol/extensions.js';

/** All of them, one after the other. */
export function extensionsText({ extensions, conflicts }: Extract<RuntimeEvent, { type: 'extensions.told' }>): string {
  const left = conflicts.map(({ kind, name, from, first }) => `${kind} "${name}" of ${from} is left out: ${first} has the name`);
  return [...extensions.flatMap(linesOf), ...(left.length === 0 ? [] : ['', ...left])].join('\n');
}

function linesOf({ name, from, state, why, tools, commands, hooks, themes }: ExtensionInfo): readonly string[] {
  const has = [
    part('tools', tools),
    part(
      'commands',
      commands.map((command) => `/${command}`),
    ),
    part('hooks', hooks),
    part('themes', themes),
  ].filter((of) => of !== null);
  const stands = state === 'running' ? '' : state === 'starting' ? ', starting' : `, disabled: ${why ?? ''}`;
  return [`${name} (${from})${stands}`, ...has.map((of) => `  ${of}`)];
}

function part(what: string, names: readonly string[]): string | null {
  return names.length === 0 ? null : `${what}: ${names.join(', ')}`;
}

/** With that widget in the place of the one with its id; null: without it. */
export function withWidget(widgets: readonly ExtensionWidget[], id: string, widget: ExtensionWidget | null): readonly ExtensionWidget[] {
  if (widget === null) return widgets.filter((known) => known.id !== id);
  if (!widgets.some((known) => known.id === id)) return [...widgets, widget];
  return widgets.map((known) => (known.id === id ? widget : known));
}

/** Rows that those of a place would like, each with its title. */
export function widgetRowCount(widgets: readonly ExtensionWidget[], place: ExtensionWidget['place']): number {
  return widgets.filter((widget) => widget.place === place).reduce((sum, { lines }) => sum + 1 + lines.length, 0);
}
