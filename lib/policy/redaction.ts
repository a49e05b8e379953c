/** Keeps secrets out of every file the program writes for later reading. */

const MASK = '[redacted]';
/** What secrets look like when nobody told us about them (key prefixes as their vendors document them). */
const PATTERNS: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghs|ghu)_[A-Za-z0-9]{20,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{12,}/gi,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
/** Shorter ones are likely to be ordinary words. */
const SHORTEST_KNOWN_SECRET = 6;

/** Replaces each secret, and nothing else, by a mask. */
export type Redactor = (text: string) => string;

/** The secrets of one run: whoever finds one out tells it, and whoever writes asks for what is left without them. */
export interface Secrets {
  /** From now on it is masked in everything that is written. */
  readonly learn: (secret: string) => void;
  readonly redact: Redactor;
}

/** `first` gives those that are known without asking for them; it is called once, when the first text is to be written. */
export function createSecrets(first: () => readonly string[]): Secrets {
  const known = new Set<string>();
  let isBegun = false;
  let redactor: Redactor | null = null;
  return {
    learn(secret) {
      if (known.has(secret)) return;
      known.add(secret);
      redactor = null;
    },
    redact(text) {
      if (!isBegun) for (const secret of first()) known.add(secret);
      isBegun = true;
      redactor ??= createRedactor([...known]);
      return redactor(text);
    },
  };
}

/** A redactor that knows these secrets by value (in four encodings) and others by their look. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST_KNOWN_SECRET)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      JSON.stringify(secret).slice(1, -1),
    ])
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let out = text;
    for (const secret of known) out = out.replaceAll(secret, MASK);
    for (const pattern of PATTERNS) out = out.replace(pattern, MASK);
    return out;
  };
}
