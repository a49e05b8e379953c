/** The login at OpenAI as a credential: renewed in time, by one process at a time, and never lost on the way. */

import { abortError, BuddyError } from '../../../base/errors.js';
import type { Host } from '../../../base/host.js';
import { type ModelProfile, OPENAI_BASE_URL } from '../../../config/profiles.js';
import type { Credential, CredentialSource } from '../credential-source.js';
import { CredentialStore } from '../credential-store.js';
import { type Login, loginOf, OPENAI_LOGIN, withLogin } from '../credentials.js';
import { claimsOf } from './claims.js';
import type { IssuerContext } from './issuer.js';
import { isDue, isExpired, loginAgain, renewLogin } from './tokens.js';

/** The login of this user. */
export class LoginSource implements CredentialSource {
  readonly #store: CredentialStore;
  readonly #context: IssuerContext;
  readonly #profile: ModelProfile | null;
  /** Renewed, but the disk did not take it: the only copy. */
  #unsaved: Login | null = null;

  /** With a profile, its address must be one that the login is for. */
  constructor(host: Host, context: IssuerContext, profile: ModelProfile | null) {
    this.#store = new CredentialStore(host);
    this.#context = context;
    this.#profile = profile;
  }

  async current(signal: AbortSignal): Promise<Credential> {
    return this.#credential(await this.usable(signal));
  }

  async instead(refused: Credential, signal: AbortSignal): Promise<Credential> {
    const { account } = claimsOf({ accessToken: refused.key, idToken: null });
    const login = await this.#known(signal);
    if (account !== '' && claimsOf(login).account !== account) throw otherAccount();
    return this.#credential(await this.#renew(login, (of) => of.accessToken === refused.key, signal));
  }

  /** The login, renewed when it is due. Throws `model.auth` when there is none, `auth.*`. */
  async usable(signal: AbortSignal): Promise<Login> {
    await this.#saveAgain(signal);
    const login = await this.#known(signal);
    const { clock } = this.#context;
    if (!isDue(login, clock.now())) return login;
    try {
      return await this.#renew(login, (of) => isDue(of, clock.now()), signal);
    } catch (thrown) {
      // It is still good for a moment, and the issuer may answer later.
      if (thrown instanceof BuddyError && thrown.retryable && !isExpired(login, clock.now())) return login;
      throw thrown;
    }
  }

  /** What the disk did not take before. */
  async #saveAgain(signal: AbortSignal): Promise<void> {
    const unsaved = this.#unsaved;
    if (unsaved === null) return;
    try {
      await this.#store.update((file) => withLogin(file, OPENAI_LOGIN, unsaved), 'fail', signal);
      this.#unsaved = null;
    } catch {
      // The next request tries again.
    }
  }

  async #known(signal: AbortSignal): Promise<Login> {
    const stored = loginOf(await this.#store.read(signal), OPENAI_LOGIN);
    const unsaved = this.#unsaved;
    const login = unsaved !== null && (stored === null || stored.renewedAtMs < unsaved.renewedAtMs) ? unsaved : stored;
    if (login === null) {
      const who = this.#profile === null ? '' : `Profile ${this.#profile.name} uses auth = "login", and `;
      throw new BuddyError('model.auth', `${who}${who === '' ? 'Nobody' : 'nobody'} is logged in`, {
        hint: 'Run "buddy-tui login openai", or /login openai.',
      });
    }
    const { issuer } = this.#context;
    if (login.issuer === issuer.url && login.clientId === issuer.clientId) return login;
    throw loginAgain(`The login was made at ${login.issuer} for client ${login.clientId}, and the settings name others`);
  }

  /**
   * New tokens, unless another process has fetched them already. A request to the issuer that was begun is not given up when the caller is:
   * its answer is the only one that the old refresh token will ever get.
   */
  #renew(old: Login, isToRenew: (login: Login) => boolean, signal: AbortSignal): Promise<Login> {
    const whole = new AbortController();
    const renewing = this.#store.exclusively(
      async ({ file, save }) => {
        const stored = this.#unsaved ?? loginOf(file, OPENAI_LOGIN);
        if (stored === null) throw loginAgain('The login was ended meanwhile');
        if (claimsOf(stored).account !== claimsOf(old).account) throw otherAccount();
        if (!isToRenew(stored)) return stored;
        const renewed = await renewLogin(this.#context, stored, whole.signal);
        this.#unsaved = renewed;
        await save(withLogin(file, OPENAI_LOGIN, renewed)).then(
          () => {
            this.#unsaved = null;
          },
          () => undefined,
        );
        return renewed;
      },
      'fail',
      signal,
    );
    return orAborted(renewing, signal);
  }

  #credential(login: Login): Credential {
    const { backend } = this.#context.issuer;
    const { account } = claimsOf(login);
    const baseUrl = this.#profile?.baseUrl ?? backend;
    if (baseUrl !== OPENAI_BASE_URL && baseUrl !== backend) {
      throw new BuddyError(
        'model.auth',
        `Profile ${this.#profile?.name} uses auth = "login" with ${baseUrl}; a login goes to ${backend} only`,
        {
          hint: 'Take api_base_url (or --base-url) out, or give the profile a key.',
        },
      );
    }
    return {
      key: login.accessToken,
      headers: { originator: 'buddy_tui', ...(account === '' ? {} : { 'chatgpt-account-id': account }) },
      baseUrl: backend,
    };
  }
}

function otherAccount(): BuddyError {
  return new BuddyError('model.auth', 'Somebody logged in with another account meanwhile', { hint: 'Ask again to go on with that one.' });
}

/** `work`, or an AbortError as soon as `signal` fires; the work goes on. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortError());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
