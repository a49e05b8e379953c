/** What a server answers to a call, as models and people are shown it. */

import { isBase64 } from '../base/base64.js';
import { formatBytes } from '../base/duration.js';
import type { ImagePart } from '../protocol/messages.js';
import type { ToolResult } from '../tools/tool.js';
import { asLoose, type Loose, listIn, textIn } from './loose.js';

/** Of what people read of a result so much is kept (characters). */
const SHOWN = 256 * 1024;
/** So many pictures of one result are shown, each so large (characters of base64). */
const MOST_IMAGES = 8;
const LARGEST_IMAGE = 8 * 1024 * 1024;
const MEDIA: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Text and pictures; whatever else there is has a line of its own. */
export interface Content {
  readonly text: string;
  readonly images: readonly ImagePart[];
}

/** The parts of a content, whatever they are. `from`: who says it. */
export function contentOf(parts: readonly unknown[], from: string): Content {
  const lines: string[] = [];
  const images: ImagePart[] = [];
  for (const raw of parts) {
    const part = asLoose(raw);
    const image = part === null ? null : imageOf(part, from, images.length);
    if (image !== null) images.push(image);
    else if (part !== null) lines.push(lineOf(part));
  }
  return { text: lines.join('\n'), images };
}

function imageOf(part: Loose, from: string, before: number): ImagePart | null {
  const mediaType = textIn(part, 'mimeType');
  const data = textIn(part, part['type'] === 'image' ? 'data' : 'blob');
  const isImage = (part['type'] === 'image' || part['blob'] !== undefined) && MEDIA.has(mediaType);
  if (!isImage || before >= MOST_IMAGES || data.length > LARGEST_IMAGE || !isBase64(data)) return null;
  return { mediaType: mediaType as ImagePart['mediaType'], data, name: `${from}: ${textIn(part, 'uri', `picture ${before + 1}`)}` };
}

function lineOf(part: Loose): string {
  const type = textIn(part, 'type', 'text');
  if (type === 'text') return textIn(part, 'text');
  if (type === 'resource') {
    const resource = asLoose(part['resource']) ?? {};
    return resourceText(resource);
  }
  if (type === 'resource_link') return `[resource ${textIn(part, 'uri')}: ${textIn(part, 'title', textIn(part, 'name'))}]`;
  return `[${type} of the type ${textIn(part, 'mimeType', 'unknown')}, ${bytesOf(textIn(part, 'data'))}: not shown]`;
}

/** A resource that came along, or was read. */
export function resourceText(resource: Loose): string {
  const uri = textIn(resource, 'uri');
  if (typeof resource['text'] === 'string') return `[resource ${uri}]\n${resource['text']}`;
  return `[resource ${uri} of the type ${textIn(resource, 'mimeType', 'unknown')}, ${bytesOf(textIn(resource, 'blob'))}: not shown]`;
}

function bytesOf(base64: string): string {
  return formatBytes(Math.floor((base64.length * 3) / 4));
}

/** What a call gave. */
export function resultOf(answer: Loose, from: string): ToolResult {
  const { text, images } = contentOf(listIn(answer, 'content'), from);
  const structured = asLoose(answer['structuredContent']);
  const isError = answer['isError'] === true;
  const isSaid = structured !== null && isSame(text, structured);
  const shown = text === '' && structured !== null ? JSON.stringify(structured, null, 2) : text;
  const pictures = images.length === 0 ? [] : [images.length === 1 ? '1 picture' : `${images.length} pictures`];
  const lines = shown === '' ? [] : [lineCount(shown)];
  return {
    result: {
      ...(text === '' && structured !== null ? {} : { content: text }),
      ...(structured === null || isSaid ? {} : { structured }),
      ...(isError ? { error: 'the server says that the call failed' } : {}),
    },
    isError,
    text: shown.slice(0, SHOWN),
    summary: [isError ? 'failed' : 'ok', ...lines, ...pictures].join(' · '),
    exitCode: null,
    images,
  };
}

function lineCount(text: string): string {
  const lines = text.split('\n').length;
  return lines === 1 ? '1 line' : `${lines} lines`;
}

/** Many servers say the same once more as text. */
function isSame(text: string, structured: Loose): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}
