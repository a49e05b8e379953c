/** What doctor says of the things that the program runs on: Node, terminal, tmux, configuration, models and their keys. */

import { asBuddyError } from '../base/errors.js';
import { readTextIfPresent } from '../base/files.js';
import type { Host } from '../base/host.js';
import { runProcess } from '../base/process.js';
import type { Options } from '../cli-options.js';
import { filesInForce, type LoadedConfig } from '../config/load.js';
import type { ModelProfile } from '../config/profiles.js';
import { CredentialStore, type KeptIn } from '../models/auth/credential-store.js';
import { emptyStore, keyFor, keysOf, loginNames, loginOf, OPENAI_LOGIN } from '../models/auth/credentials.js';
import type { JsonObject } from '../models/json.js';
import { DEFAULT_SOCKET, probeTmux } from '../targets/index.js';
import { colorDepthOf } from '../tui/color-depth.js';
import { type GlyphSet, type Glyphs, glyphSetOf } from '../tui/glyphs.js';
import { configOf } from './assembly-config.js';
import type { Finding } from './doctor-finding.js';

const LIMIT_MS = 10_000;

/** The findings, and the socket that the settings name. */
export async function environmentFindings(
  host: Host,
  options: Options,
): Promise<{ readonly findings: readonly Finding[]; readonly socket: string }> {
  const tmux = await tmuxFinding(host);
  const fixed = (glyphs?: Glyphs) => [nodeFinding(host), terminalFinding(host, glyphs), tmux];
  try {
    const config = await configOf(host, options);
    const { 'display.glyphs': glyphs, 'tmux.socket': socket } = config.settings;
    return { findings: [...fixed(glyphs), ...(await configFindings(host, config))], socket };
  } catch (thrown) {
    const { message, hint } = asBuddyError(thrown, 'config.value');
    const broken: Finding = { about: 'config', state: 'problem', text: message, ...(hint === undefined ? {} : { remedy: hint }) };
    return { findings: [...fixed(), broken], socket: DEFAULT_SOCKET };
  }
}

function nodeFinding({ nodeVersion, version, platform }: Host): Finding {
  return {
    about: 'node',
    state: 'ok',
    text: `${nodeVersion} on ${platform}; buddy-tui ${version}`,
    facts: { node: nodeVersion, version, platform },
  };
}

/** What is drawn where no locale says UTF-8. */
const glyphRemedy: Readonly<Record<GlyphSet, string>> = {
  unicode: 'Text beyond ASCII is drawn as UTF-8: LANG=C.UTF-8 says so.',
  console: 'Text beyond ASCII is drawn as UTF-8: LANG=C.UTF-8 says so.',
  ascii: 'The screen is drawn in ASCII. If the terminal knows UTF-8, set LANG=C.UTF-8, or glyphs = "unicode" under [display].',
};

function terminalFinding({ env, stdin, stdout }: Host, glyphs?: Glyphs): Finding {
  const { TERM: term = '' } = env;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '') ?? '';
  const utf8 = /utf-?8/i.test(locale);
  const colors = colorDepthOf(env);
  const size = isTerminal ? `${stdout.columns}×${stdout.rows}` : 'no terminal';
  const tmux = (env['TMUX'] ?? '') !== '';
  const facts = { term, colors, utf8, locale, isTerminal, insideTmux: tmux };
  const text = [
    term === '' ? 'TERM is not set' : term,
    size,
    colors === 'mono' ? 'no colours' : colors === 'truecolor' ? '24-bit colours' : `${colors} colours`,
    utf8 ? 'UTF-8' : `locale ${locale === '' ? 'not set' : locale}`,
    ...(tmux ? ['inside of tmux'] : []),
  ].join(', ');
  if (isTerminal && (term === '' || term === 'dumb'))
    return {
      about: 'terminal',
      state: 'problem',
      text,
      remedy: 'The dashboard needs a terminal that can move the cursor: set TERM.',
      facts,
    };
  if (!utf8) return { about: 'terminal', state: 'note', text, remedy: glyphRemedy[glyphSetOf(env, glyphs)], facts };
  return { about: 'terminal', state: isTerminal ? 'ok' : 'note', text, facts };
}

async function tmuxFinding(host: Host): Promise<Finding> {
  const limit = new AbortController();
  const timer = host.clock.after(LIMIT_MS, () => limit.abort());
  try {
    const found = await probeTmux(host, limit.signal);
    if (found === null)
      return {
        about: 'tmux',
        state: 'problem',
        text: 'not installed',
        remedy: 'Without it commands run without a pane: apt-get install tmux.',
      };
    const where = await runProcess('/bin/sh', ['-c', 'command -v tmux'], { env: { PATH: host.env['PATH'] } }, limit.signal);
    const path = where.stdout.trim();
    const facts = { version: found.version, path };
    if (found.ok) return { about: 'tmux', state: 'ok', text: `${found.version} (${path})`, facts };
    return { about: 'tmux', state: 'problem', text: `${found.version} (${path}) is too old`, remedy: '3.2 or newer is needed.', facts };
  } catch (thrown) {
    const text = limit.signal.aborted ? `did not answer within ${LIMIT_MS / 1000} seconds` : asBuddyError(thrown, 'target.tmux').message;
    return { about: 'tmux', state: 'problem', text, remedy: 'See what "tmux -V" does.' };
  } finally {
    timer.dispose();
  }
}

async function configFindings(host: Host, config: LoadedConfig): Promise<readonly Finding[]> {
  const { file, warnings, profiles, profile, demoHint } = config;
  const facts = { file };
  const inForce = filesInForce(config);
  const read: Finding = {
    about: 'config',
    state: 'ok',
    text: inForce.join(', ') || 'no file: the defaults',
    facts: { ...facts, inForce, folder: config.project.folder, trust: config.project.trust },
  };
  const warned = warnings.map((text): Finding => ({ about: 'config', state: 'note', text }));
  const credentials = await credentialsOf(host, config.settings['auth.store']);
  const models = profiles.map((one) => modelFinding(host, one, one.name === profile.name, credentials.file));
  const demo: readonly Finding[] =
    demoHint === null ? [] : [{ about: 'model', state: 'note', text: 'no real model is configured', remedy: demoHint }];
  return [read, ...warned, ...credentials.findings, ...models, ...demo];
}

/** Logins and stored keys, and what is wrong with their file. */
async function credentialsOf(host: Host, wanted: KeptIn): Promise<{ readonly file: JsonObject; readonly findings: readonly Finding[] }> {
  const repaired: Finding[] = [];
  try {
    const store = new CredentialStore(host, { notice: (text) => repaired.push({ about: 'login', state: 'cleaned', text }) });
    const file = await store.read();
    const isEmpty = loginNames(file).length + keysOf(file).length === 0;
    return { file, findings: isEmpty ? repaired : [...repaired, placeFinding(store, wanted)] };
  } catch (thrown) {
    const { message, hint } = asBuddyError(thrown, 'auth.store');
    const broken: Finding = { about: 'login', state: 'problem', text: message, ...(hint === undefined ? {} : { remedy: hint }) };
    return { file: emptyStore, findings: [...repaired, broken] };
  }
}

function placeFinding({ keptIn, place }: CredentialStore, wanted: KeptIn): Finding {
  const facts = { keptIn };
  if (keptIn === wanted) return { about: 'login', state: 'ok', text: `logins and keys are in ${place}`, facts };
  const text = `logins and keys are in ${place}, and auth.store = "${wanted}" says otherwise`;
  return { about: 'login', state: 'note', text, remedy: 'They move with the next "buddy-tui login".', facts };
}

/** The key is looked for and never shown. */
function modelFinding(host: Host, profile: ModelProfile, isChosen: boolean, credentials: JsonObject): Finding {
  const key = keyWords(host, profile, credentials);
  const text = `${profile.name}: ${profile.model} (${profile.api})${isChosen ? ', the one to start with' : ''}; ${key.words}`;
  const facts = { profile: profile.name, model: profile.model, api: profile.api, chosen: isChosen, key: key.words, keyThere: key.isThere };
  if (key.isThere) return { about: 'model', state: 'ok', text, facts };
  return { about: 'model', state: isChosen ? 'problem' : 'note', text, facts };
}

function keyWords(
  host: Host,
  { name, key, auth, api, baseUrl }: ModelProfile,
  credentials: JsonObject,
): { readonly words: string; readonly isThere: boolean } {
  if (api === 'demo') return { words: 'needs no key', isThere: true };
  const isStored = keyFor(credentials, baseUrl) !== '';
  if (key === null && auth === 'login') {
    const isThere = loginOf(credentials, OPENAI_LOGIN) !== null;
    return { words: isThere ? 'uses the login' : 'nobody is logged in: buddy-tui login openai', isThere };
  }
  if (key === null) return { words: isStored ? 'its key is stored' : 'no key is configured', isThere: true };
  switch (key.kind) {
    case 'literal':
      return { words: 'its key stands in the file', isThere: true };
    case 'command':
      return { words: 'a command gives its key', isThere: true };
    case 'keyring':
      return { words: `the keyring gives its key (${key.service})`, isThere: true };
    case 'env': {
      const isThere = (host.env[key.name] ?? '').trim() !== '';
      if (!isThere && isStored) return { words: `its key is stored (${key.name} is not set)`, isThere: true };
      return { words: isThere ? `its key is in ${key.name}` : `${key.name} is not set; buddy-tui login ${name} stores a key`, isThere };
    }
    case 'file':
      try {
        const isThere = (readTextIfPresent(key.path) ?? '').trim() !== '';
        return { words: isThere ? `its key is in ${key.path}` : `${key.path} is empty or not there`, isThere };
      } catch {
        return { words: `${key.path} cannot be read`, isThere: false };
      }
  }
}
