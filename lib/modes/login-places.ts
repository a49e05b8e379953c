/** Where one can log in: providers whose keys are known by their address, and the profiles of the configuration. */

import { BuddyError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import type { LoadedConfig } from '../config/load.js';
import { OPENAI_LOGIN } from '../models/auth/credentials.js';

/** How one identifies oneself there. */
export type LoginMethod = 'browser' | 'device' | 'key';

/** One place. */
export interface LoginPlace {
  /** Under which the login or the key is kept. */
  readonly name: string;
  readonly title: string;
  /** The only origin that a key is sent to. */
  readonly origin: string;
  readonly methods: readonly LoginMethod[];
  /** Where a person gets a key; '' when that is not known. */
  readonly keyPage: string;
}

function keyPlace(name: string, title: string, origin: string, keyPage: string): LoginPlace {
  return { name, title, origin, keyPage, methods: ['key'] };
}

/** The known ones. */
export const loginPlaces: readonly LoginPlace[] = [
  {
    name: OPENAI_LOGIN,
    title: 'OpenAI (ChatGPT account, or an API key)',
    origin: 'https://api.openai.com',
    methods: ['browser', 'device', 'key'],
    keyPage: 'https://platform.openai.com/api-keys',
  },
  keyPlace('openrouter', 'OpenRouter', 'https://openrouter.ai', 'https://openrouter.ai/settings/keys'),
  keyPlace('anthropic', 'Anthropic', 'https://api.anthropic.com', 'https://console.anthropic.com/settings/keys'),
  keyPlace('google', 'Google Gemini', 'https://generativelanguage.googleapis.com', 'https://aistudio.google.com/apikey'),
  keyPlace('moonshot', 'Moonshot (Kimi)', 'https://api.moonshot.ai', 'https://platform.moonshot.ai/console/api-keys'),
  keyPlace('deepseek', 'DeepSeek', 'https://api.deepseek.com', 'https://platform.deepseek.com/api_keys'),
  keyPlace('zai', 'Z.ai (GLM)', 'https://api.z.ai', 'https://z.ai/manage-apikey/apikey-list'),
  keyPlace('mistral', 'Mistral', 'https://api.mistral.ai', 'https://console.mistral.ai/api-keys'),
  keyPlace('groq', 'Groq', 'https://api.groq.com', 'https://console.groq.com/keys'),
];

/** The place of that name: a known one, or that of a profile. Throws `usage.provider`. */
export function placeNamed(name: string, config: LoadedConfig): LoginPlace {
  const known = loginPlaces.find((place) => place.name === name);
  if (known !== undefined) return known;
  const profile = config.profiles.find((of) => of.name === name && of.api !== 'demo');
  if (profile !== undefined) {
    const { origin } = new URL(profile.baseUrl);
    return loginPlaces.find((place) => place.origin === origin) ?? keyPlace(name, `${name} (${origin})`, origin, '');
  }
  const names = [...loginPlaces.map((place) => place.name), ...config.profiles.filter(({ api }) => api !== 'demo').map((of) => of.name)];
  const meant = nearest(name, names);
  throw new BuddyError(
    'usage.provider',
    `"${name}" is no provider and no model profile${meant === null ? '' : `; did you mean "${meant}"?`}`,
    {
      hint: `There are: ${[...new Set(names)].join(', ')}.`,
    },
  );
}
