/** Where the person's own files for this program are. */

import { join } from 'node:path';
import type { Host } from '../base/host.js';

/** The folder of the user's own configuration (XDG Base Directory Specification: a relative path there is ignored). */
export function configDir({ env, homeDir }: Pick<Host, 'env' | 'homeDir'>): string {
  const xdg = env['XDG_CONFIG_HOME'];
  const base = xdg?.startsWith('/') ? xdg : join(homeDir, '.config');
  return join(base, 'buddy');
}

/** The folders with skills of their own, in the order in which they count. */
export function ownSkillFolders(host: Pick<Host, 'env' | 'homeDir'>): readonly string[] {
  return [join(configDir(host), 'skills'), join(host.homeDir, '.agents', 'skills')];
}

/** All folders of which nothing is brought along by a working folder in or below them. */
export function ownFolders(host: Pick<Host, 'env' | 'homeDir'>): readonly string[] {
  return [configDir(host), ...ownSkillFolders(host)];
}
