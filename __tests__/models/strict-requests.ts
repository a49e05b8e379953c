/** The judge of the strict servers: what a real one would refuse in a request. */

import type { ProviderName } from '../../lib/config/profiles.js';
import { anthropicFault } from '../support/strict/anthropic.js';
import { chatFault } from '../support/strict/chat.js';
import { responsesFault } from '../support/strict/responses.js';
import { type Json, loneSurrogateIn } from '../support/strict/rules.js';
import type { Api } from './spoken.js';

/** The first fault of a request of that protocol to `provider`, in the words of the real server, or null. */
export function faultOf(api: Api, body: Json, provider: ProviderName = 'other'): string | null {
  const unreadable = loneSurrogateIn(body);
  if (unreadable !== null) return `The request body is not valid JSON: ${unreadable}`;
  if (api === 'responses') return responsesFault(body);
  return api === 'anthropic' ? anthropicFault(body) : chatFault(body, provider);
}
