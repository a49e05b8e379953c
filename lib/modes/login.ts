/** login: gets a login or a key for a provider, keeps it, and tells what there is. */

import { BuddyError, exitCodes, messageOf } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { startProcess } from '../base/process.js';
import { isSafeForSecrets } from '../base/proxy.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import { CredentialStore } from '../models/auth/credential-store.js';
import { keysOf, type Login, loginNames, loginOf, OPENAI_LOGIN, withKey, withLogin, without } from '../models/auth/credentials.js';
import { browserLogin, CALLBACK_PORTS } from '../models/auth/openai/browser.js';
import { claimsOf } from '../models/auth/openai/claims.js';
import { awaitDeviceLogin, requestDeviceCode } from '../models/auth/openai/device.js';
import { type IssuerContext, issuerFrom } from '../models/auth/openai/issuer.js';
import { LoginSource } from '../models/auth/openai/login-source.js';
import { openHttp } from '../models/index.js';
import { configOf, secretsOf } from './assembly-config.js';
import { type LoginMethod, type LoginPlace, loginPlaces, placeNamed } from './login-places.js';
import { hostOfPrograms } from './program-environment.js';
import { pipedLine, Questions, untilStopped } from './questions.js';

/** What `login` is asked. */
export interface LoginRequest {
  readonly options: Options;
  /** '' when none is named. */
  readonly provider: string;
  /** Only tell what there is, and renew what is due. */
  readonly check: boolean;
  /** Forget what there is first. */
  readonly reset: boolean;
  /** Null: the person is asked, or the usual one. */
  readonly method: LoginMethod | null;
}

/** Resolves with the exit code: 0, or 1 when `check` found nothing that can be used. Throws BuddyError `usage.*`, `auth.*`, `config.*`. */
export async function login(host: Host, request: LoginRequest): Promise<number> {
  host.stdout.on('error', () => undefined);
  return untilStopped(host, async (signal) => {
    const config = await configOf(host, request.options);
    const http = await openHttp(config.settings['network.ca_file'], host);
    const context: IssuerContext = { issuer: issuerFrom(config.settings), fetch: http.fetch, clock: host.clock };
    try {
      return await new LoginRun(host, config, request, context).run(signal);
    } finally {
      await http.close();
    }
  });
}

/** One run of the command. */
class LoginRun {
  readonly #host: Host;
  readonly #config: LoadedConfig;
  readonly #request: LoginRequest;
  readonly #context: IssuerContext;
  readonly #questions: Questions;
  readonly #store: CredentialStore;

  constructor(host: Host, config: LoadedConfig, request: LoginRequest, context: IssuerContext) {
    this.#host = host;
    this.#config = config;
    this.#request = request;
    this.#context = context;
    this.#questions = new Questions(host);
    this.#store = new CredentialStore(host, { notice: (text) => this.#questions.say(text), keep: config.settings['auth.store'] });
  }

  async run(signal: AbortSignal): Promise<number> {
    if (this.#request.check) return this.#check(signal);
    const place = await this.#place(signal);
    const method = await this.#method(place, signal);
    if (this.#request.reset) await this.#store.update((file) => without(file, place.name), 'set-aside', signal);
    if (method === 'key') await this.#keepKey(place, signal);
    else await this.#keepLogin(method, signal);
    return exitCodes.ok;
  }

  async #place(signal: AbortSignal): Promise<LoginPlace> {
    const { provider } = this.#request;
    if (provider !== '') return placeNamed(provider, this.#config);
    const [usual] = loginPlaces;
    if (usual === undefined) throw new Error('no places');
    if (!this.#questions.canAsk) return usual;
    const titles = loginPlaces.map(({ title }) => title);
    return loginPlaces[await this.#questions.choice('Where do you want to log in?', titles, 0, signal)] ?? usual;
  }

  async #method({ name, methods }: LoginPlace, signal: AbortSignal): Promise<LoginMethod> {
    const { method } = this.#request;
    if (method !== null) {
      if (methods.includes(method)) return method;
      throw new BuddyError('usage.method', `${name} has no login with ${method}`, {
        hint: `Leave --with out; there is: ${methods.join(', ')}.`,
      });
    }
    const usual = methods.includes('browser') && !hasBrowser(this.#host) ? 'device' : (methods[0] ?? 'key');
    if (methods.length === 1) return usual;
    // Without a person at the terminal a key can be piped in, or a code be typed elsewhere.
    if (!this.#questions.canAsk) return this.#host.stdin.isTTY === true ? usual : 'device';
    const chosen = await this.#questions.choice(
      'How?',
      methods.map((of) => METHOD_WORDS[of]),
      methods.indexOf(usual),
      signal,
    );
    return methods[chosen] ?? usual;
  }

  async #keepKey(place: LoginPlace, signal: AbortSignal): Promise<void> {
    if (!isSafeForSecrets(place.origin)) {
      throw new BuddyError('auth.origin', `A key for ${place.origin} would travel there without encryption`, {
        hint: 'Use an https address, or a server on this machine.',
      });
    }
    if (this.#questions.canAsk && place.keyPage !== '') this.#questions.say(`A key for ${place.title} is made at ${place.keyPage}`);
    const key = this.#questions.canAsk ? await this.#questions.secret('API key (it is not shown): ', signal) : await pipedLine(this.#host);
    if (!/^[\x21-\x7e]{4,}$/.test(key)) {
      throw new BuddyError(
        'usage.key',
        key === '' ? 'No key was given' : 'That is no key: it is too short, or holds characters that no key has',
        {
          hint: `Paste it at the question, or pipe it in: buddy-tui login ${place.name} < FILE`,
        },
      );
    }
    await this.#store.update((file) => withKey(file, { name: place.name, key, origin: place.origin }), 'set-aside', signal);
    this.#questions.say(`The key for ${place.origin} is kept in ${this.#store.place}, for you alone.`);
    this.#sayNext((profile) => profile.baseUrl.startsWith(`${place.origin}/`) && profile.auth === 'api-key');
  }

  async #keepLogin(method: 'browser' | 'device', signal: AbortSignal): Promise<void> {
    const made = method === 'browser' ? await this.#withBrowser(signal) : await this.#withCode(signal);
    await this.#store.update((file) => withLogin(file, OPENAI_LOGIN, made), 'set-aside', signal);
    this.#questions.say(`Logged in${whose(made)}. The login is kept in ${this.#store.place}, for you alone.`);
    this.#sayNext((profile) => profile.auth === 'login');
  }

  async #withCode(signal: AbortSignal): Promise<Login> {
    const code = await requestDeviceCode(this.#context, signal);
    this.#questions.say(`Open    ${code.page}\nand enter    ${code.userCode}\n`);
    this.#questions.say('The code is good for 15 minutes. Enter it only if you started this login yourself. Waiting …');
    return awaitDeviceLogin(this.#context, code, signal);
  }

  async #withBrowser(signal: AbortSignal): Promise<Login> {
    return browserLogin(
      this.#context,
      {
        ports: CALLBACK_PORTS,
        open: (url) => {
          this.#questions.say(`Log in with your browser at\n\n${url}\n`);
          if (hasBrowser(this.#host)) openBrowser(this.#host, this.#config, url);
        },
        pasted: this.#questions.canAsk
          ? (ended) => this.#questions.line('Waiting for the browser. If it runs elsewhere, paste the address it ends at here: ', ended)
          : null,
      },
      signal,
    );
  }

  /** What is there, and whether it can be used. */
  async #check(signal: AbortSignal): Promise<number> {
    const { provider } = this.#request;
    const place = provider === '' ? null : placeNamed(provider, this.#config);
    const file = await this.#store.read(signal);
    const isAsked = (name: string) => place === null || place.name === name;
    let isWell = false;
    for (const name of loginNames(file).filter(isAsked)) {
      try {
        const found = name === OPENAI_LOGIN ? await new LoginSource(this.#host, this.#context, null).usable(signal) : loginOf(file, name);
        if (found === null) continue;
        isWell = true;
        this.#questions.say(`${name}: logged in${whose(found)}${until(found)}`);
      } catch (thrown) {
        if (!(thrown instanceof BuddyError)) throw thrown;
        this.#questions.say(`${name}: ${messageOf(thrown)}. ${thrown.hint ?? ''}`.trimEnd());
      }
    }
    for (const { name, origin } of keysOf(file).filter((of) => isAsked(of.name))) {
      isWell = true;
      this.#questions.say(`${name}: a key for ${origin}`);
    }
    if (!isWell)
      this.#questions.say(place === null ? 'Nobody is logged in, and no key is kept.' : `There is no login and no key for ${place.name}.`);
    return isWell ? exitCodes.ok : exitCodes.failed;
  }

  #sayNext(isMeant: (profile: LoadedConfig['profiles'][number]) => boolean): void {
    const { profiles, profile, file } = this.#config;
    const meant = isMeant(profile) ? profile : profiles.find(isMeant);
    if (meant !== undefined) this.#questions.say(`Next: buddy-tui${meant === profile ? '' : ` -m ${meant.name}`}`);
    else this.#questions.say(file === null ? 'Next: buddy-tui init' : `Next: add a profile for it to ${file}, see "man buddy.toml".`);
  }
}

const METHOD_WORDS: Readonly<Record<LoginMethod, string>> = {
  browser: 'ChatGPT account, with the browser of this machine',
  device: 'ChatGPT account, with a code that you enter in any browser',
  key: 'API key',
};

/** ` as ann@example.com (plus)`. */
function whose(of: Login): string {
  const { email, plan, account } = claimsOf(of);
  const who = email || account;
  return `${who === '' ? '' : ` as ${who}`}${plan === '' ? '' : ` (${plan})`}`;
}

function until({ expiresAtMs, refreshToken }: Login): string {
  if (expiresAtMs === null) return '';
  return `, until ${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC${refreshToken === null ? '' : ', renewed by itself'}`;
}

/** Over ssh a browser would open on the wrong screen, or none. */
function hasBrowser({ env, platform }: Host): boolean {
  const is = (name: string) => (env[name] ?? '') !== '';
  if (is('SSH_CONNECTION') || is('SSH_TTY')) return false;
  return platform === 'darwin' || is('DISPLAY') || is('WAYLAND_DISPLAY');
}

/** Without a shell, and without a word when it fails: the address is on the screen. */
function openBrowser(host: Host, config: LoadedConfig, url: string): void {
  if (!isSafeForSecrets(url)) return;
  const { env, platform } = hostOfPrograms(host, secretsOf(host, config));
  const child = startProcess(platform === 'darwin' ? 'open' : 'xdg-open', [url], { env, ownGroup: true });
  child.stdout.resume();
  child.stderr.resume();
  child.stdin.end();
}
