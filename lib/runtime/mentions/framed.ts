/** What was brought along, in a frame that names it and that its text cannot end. Pure. */

import { withUnseenNamed } from '../../base/visible.js';
import type { AttachedText } from '../../protocol/messages.js';
import type { Brought } from './mention-source.js';

/** As the model and people are told of it. */
export function attachedOf(brought: Brought): AttachedText {
  const { kind, name, bytes, note, text } = brought;
  return {
    ...{ kind, name, bytes: bytes ?? Buffer.byteLength(text) },
    ...(note === undefined ? {} : { note }),
    text: kind === 'image' ? '' : framed(brought),
  };
}

/** `<file path="notes.md">`, the text, and the end of it. */
function framed({ kind, about, note, text }: Brought): string {
  const attributes = Object.entries({ ...about, ...(note === undefined ? {} : { note }) }).map(
    ([name, value]) => ` ${name}="${attribute(value)}"`,
  );
  const inner = withUnseenNamed(text).replace(new RegExp(`<(?=\\s*/\\s*${kind}\\b)`, 'gi'), '‹');
  return `<${kind}${attributes.join('')}>\n${inner.endsWith('\n') ? inner : `${inner}\n`}</${kind}>`;
}

/** Nothing in it ends the attribute, the tag or the line. */
function attribute(value: string): string {
  return withUnseenNamed(value)
    .replace(/[\x00-\x1f\x7f]/g, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
