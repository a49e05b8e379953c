/** Where one can log in: the names that a shell completes are those that there are. */

import { loginProviders } from '../../lib/cli-options.js';
import type { LoadedConfig } from '../../lib/config/load.js';
import { bundledProfiles, demoProfile } from '../../lib/config/profiles.js';
import { loginPlaces, placeNamed } from '../../lib/modes/login-places.js';

const config = {
  profiles: [...bundledProfiles, { ...bundledProfiles[0], name: 'own', baseUrl: 'https://own.example/v1' }, demoProfile],
} as unknown as LoadedConfig;

test('the names of both tables are the same', () => {
  expect(loginPlaces.map(({ name }) => name)).toEqual([...loginProviders]);
});

test('a profile stands for the place it talks to; the demo for none', () => {
  expect(placeNamed('kimi', config).name).toBe('moonshot');
  expect(placeNamed('own', config)).toMatchObject({ name: 'own', origin: 'https://own.example', methods: ['key'] });
  expect(() => placeNamed('demo', config)).toThrow('"demo" is no provider and no model profile');
});
