/** Texts of files as a model is shown them: between tags that say where they are from, and that what they say cannot close. */

import { withUnseenNamed } from '../base/visible.js';

/** Every tag that is used here: none of them can be begun or ended by a text. */
const TAGS = ['project_instructions', 'user_instructions', 'target_instructions', 'available_skills', 'skill'] as const;

/** One of those. */
export type Tag = (typeof TAGS)[number];

const LOOKS_LIKE_A_TAG = new RegExp(`<(?=[\\s/\\p{Cc}\\p{Cf}]*(?:${TAGS.join('|')})(?![\\w-]))`, 'giu');

/** `content` between the two tags, exactly, but for what looks like one of them and what nobody would see in the file. */
export function wrapped(tag: Tag, attributes: Readonly<Record<string, string>>, content: string): string {
  const head = [tag, ...Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`)].join(' ');
  return `<${head}>\n${withoutTags(withUnseenNamed(content))}${content.endsWith('\n') ? '' : '\n'}</${tag}>`;
}

/** So that it begins and ends no tag of ours. */
export function withoutTags(content: string): string {
  return content.replace(LOOKS_LIKE_A_TAG, '&lt;');
}

/** As XML has it, on one line. */
export function escaped(text: string): string {
  return withUnseenNamed(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
