/** The key of the search engine, found when it is needed: from what the settings name, or the variable that its vendor uses. */

import type { Host } from '../base/host.js';
import type { Settings } from '../config/settings.js';
import { keyFromFile, soundKey } from '../models/auth/key-file.js';

type SearchSettings = Pick<Settings, 'search.engine' | 'search.api_key_env' | 'search.api_key_file' | 'search.api_key_command'>;

/** Variables of the vendors, read when the settings name no source. */
const VARIABLES: Readonly<Record<string, string>> = { brave: 'BRAVE_API_KEY', tavily: 'TAVILY_API_KEY' };

/** The key, '' for none. Throws `web.key`, `model.auth` (of the command), an AbortError. */
export async function searchKey(settings: SearchSettings, host: Host, signal: AbortSignal): Promise<string> {
  const key = await rawKey(settings, host, signal);
  return soundKey(key, '[search]', 'web.key');
}

/** The variable that is read, '' for none. */
export function searchKeyVariable(settings: SearchSettings): string {
  return settings['search.api_key_env'] || (VARIABLES[settings['search.engine']] ?? '');
}

async function rawKey(settings: SearchSettings, host: Host, signal: AbortSignal): Promise<string> {
  const command = settings['search.api_key_command'];
  if (command !== '') {
    const { keyFromCommand } = await import('../models/auth/key-command.js');
    return await keyFromCommand(command, '[search]', host, signal);
  }
  const path = settings['search.api_key_file'].replace(/^~(?=\/)/, host.homeDir);
  if (path === '') return (host.env[searchKeyVariable(settings)] ?? '').trim();
  return keyFromFile(path, '[search]', 'web.key');
}
