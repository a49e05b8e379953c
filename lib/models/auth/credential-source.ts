/** Credentials that can be had anew: a login that is renewed, a command that is asked again. */

/** What a request is made with. */
export interface Credential {
  readonly key: string;
  /** Besides the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Instead of the profile's own address. */
  readonly baseUrl: string | null;
}

/** Where they come from. Asked before each request. */
export interface CredentialSource {
  /** Throws `model.auth`, `auth.*`, an AbortError. */
  current(signal: AbortSignal): Promise<Credential>;
  /** Another one, after the server refused this one; null when there is none. Throws as `current`. */
  instead(refused: Credential, signal: AbortSignal): Promise<Credential | null>;
}
