/** What people write wrong about a server: each is one sentence that names it and one that says what to change. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuddyError } from '../../lib/base/errors.js';
import type { ModelProfile } from '../../lib/config/profiles.js';
import { ask, collect, modelHost, openProvider, profileFor } from './provider-under-test.js';
import { type ReplayServer, type ScriptedAnswer, startReplayServer } from './replay-server.js';
import { apis } from './spoken.js';

let server: ReplayServer;
let folder: string;
beforeAll(async () => {
  server = await startReplayServer();
  folder = mkdtempSync(join(tmpdir(), 'buddy-bad-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

async function said(profile: ModelProfile, answer?: ScriptedAnswer): Promise<string> {
  if (answer !== undefined) server.script(answer);
  const { provider, http } = await openProvider(profile, { host: modelHost({ EMPTY_KEY: '' }) });
  const thrown = await collect(provider, ask()).catch((error: unknown) => error);
  await http.close();
  if (!(thrown instanceof BuddyError)) throw new Error(`no sentence: ${String(thrown)}`);
  expect(thrown.message).not.toContain('\n');
  return `${thrown.message} | ${thrown.hint ?? ''}`;
}

function json(status: number, body: unknown): ScriptedAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

describe.each(apis)('%s', (api) => {
  const host = () => new URL(server.baseUrl).host;
  const profile = (more: Partial<ModelProfile> = {}) => profileFor(api, server.baseUrl, more);

  test('a base URL without its version', async () => {
    const root = `http://${host()}`;
    const notFound: ScriptedAnswer = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' };
    const wanted = `The address has no version at its end: write api_base_url = "${root}/v1".`;
    expect(await said(profile({ baseUrl: root }), notFound)).toBe(`${host()} answered 404: 404 page not found | ${wanted}`);
    expect(await said(profile({ baseUrl: `${root}/api` }), notFound)).toContain(`write api_base_url = "${root}/api/v1"`);
    const other = api === 'chat' ? 'responses' : 'completions';
    expect(await said(profile(), notFound)).toContain(`if it is right, the server may speak another protocol: api = "${other}"`);
  });

  test('a web page', async () => {
    const page: ScriptedAnswer = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><html></html>' };
    const root = `http://${host()}`;
    expect(await said(profile({ baseUrl: root }), page)).toBe(
      `${root} answered with a web page (status 200), not as a model server | The base URL has no version at its end: write api_base_url = "${root}/v1".`,
    );
    expect(await said(profile(), page)).toContain(
      'Check the base URL: it must lead to the API; a proxy or a login page may stand in between.',
    );
  });

  test('an empty key, wherever it comes from', async () => {
    const path = join(folder, 'empty.key');
    writeFileSync(path, '\n');
    const before = server.seen.length;
    expect(await said(profile({ key: { kind: 'literal', value: '' } }))).toBe(
      'The key of profile test is empty | Check api_key of profile test.',
    );
    expect(await said(profile({ key: { kind: 'file', path } }))).toBe(
      `The key of profile test is empty | Check the key in ${path} (profile test).`,
    );
    expect(await said(profile({ key: { kind: 'env', name: 'EMPTY_KEY' } }))).toContain('EMPTY_KEY is not set');
    expect(server.seen.length).toBe(before);
  });

  test('a key that is not accepted', async () => {
    const refused = json(401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } });
    expect(await said(profile({ key: { kind: 'literal', value: 'wrong-key' } }), refused)).toBe(
      `${host()} answered 401: Incorrect API key provided | Check api_key of profile test.`,
    );
    expect(await said(profile({ key: null }), refused)).toContain(
      'Give profile test a key: api_key_env, api_key_file or api_key, or store one with "buddy-tui login".',
    );
  });

  test('a model that does not exist, as each kind of server says it', async () => {
    for (const [status, body] of [
      [404, { error: { message: 'The model `some-model` does not exist', code: 'model_not_found' } }],
      [400, { error: { message: "The requested model 'some-model' does not exist.", code: 'model_not_found' } }],
      [404, { type: 'error', error: { type: 'not_found_error', message: 'model: some-model' } }],
      [404, { error: { message: 'model "some-model" not found, try pulling it first', type: 'api_error' } }],
      [404, { object: 'error', message: 'The model `some-model` does not exist.', type: 'NotFoundError', code: 404 }],
    ] as const) {
      expect(await said(profile(), json(status, body))).toMatch(
        / \| Check the model name "some-model" of profile test; \/model shows the others\.$/,
      );
    }
  });

  test('nobody there', async () => {
    const gone = await startReplayServer();
    await gone.close();
    expect(await said(profile({ baseUrl: gone.baseUrl }))).toBe(
      `${gone.baseUrl} cannot be reached: connection refused | Check that the server runs and that the base URL of profile test is right.`,
    );
    expect(await said(profile({ baseUrl: 'https://no-such-host.invalid/v1' }))).toMatch(
      /^https:\/\/no-such-host\.invalid\/v1 cannot be reached: the host name/,
    );
  });
});
