/** `@server:uri`: what a server has at that address, brought along with a prompt. */

import { formatBytes } from '../base/duration.js';
import { wholeCharacters } from '../base/whole-characters.js';
import type { Found, MentionLook, MentionSource } from '../runtime/mentions/mention-source.js';
import type { McpServers } from './servers.js';

/** The source of such mentions. No server is started, and none is asked, before a prompt is really sent. */
export function resourceSource(servers: Pick<McpServers, 'names' | 'readResource' | 'completeResources'>): MentionSource {
  return {
    fits: (word) => partsOf(word, servers.names) !== null,
    complete: (typed) => Promise.resolve(servers.completeResources(typed)),
    async find(word, { mostBytes, whole }: MentionLook, signal): Promise<Found> {
      const parts = partsOf(word, servers.names);
      if (parts === null) return null;
      const [server, uri] = parts;
      const about = { kind: 'resource', name: word, about: { server, uri } } as const;
      if (!whole) return { ...about, text: '', note: 'its size is known when it is sent' };
      const { text, images } = await servers.readResource(server, uri, signal);
      const [image, ...others] = images;
      const bytes = Buffer.from(text, 'utf8');
      const isCut = bytes.length > mostBytes;
      const notes = [
        ...(isCut ? [`the first ${formatBytes(mostBytes)} of ${formatBytes(bytes.length)}`] : []),
        ...(others.length === 0 ? [] : [`the first of ${images.length} pictures`]),
      ];
      return {
        ...about,
        text: isCut ? Buffer.from(wholeCharacters(bytes.subarray(0, mostBytes))).toString('utf8') : text,
        ...(image === undefined ? {} : { image }),
        ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
      };
    },
  };
}

/** The name of a server and the address behind it, which has a scheme. */
function partsOf(word: string, names: readonly string[]): readonly [server: string, uri: string] | null {
  const at = word.indexOf(':');
  const [server, uri] = [word.slice(0, at), word.slice(at + 1)];
  return at > 0 && names.includes(server) && /^[a-z][a-z0-9+.-]*:/i.test(uri) ? [server, uri] : null;
}
