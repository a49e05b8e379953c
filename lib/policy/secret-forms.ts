/** How one secret may be written: as it is, and in the encodings that programs put it into. */

/** Shorter ones are likely to be ordinary words. */
const SHORTEST = 6;
/** A shorter piece of base64 stands in many texts. */
const SHORTEST_BASE64 = 7;

/** Every form of `secret` to look for; none when it is too short to be told from a word. */
export function formsOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST) return [];
  const url = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    url,
    url.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
    // As a form is sent (application/x-www-form-urlencoded).
    url.replaceAll('%20', '+'),
    json,
    json.replaceAll('/', '\\/'),
    ...[0, 1, 2].flatMap((before) => base64Forms(Buffer.from(secret), before)),
  ];
}

/**
 * The digits that `secret` alone decides when so many bytes (modulo 3) come before it, and those when nothing comes behind it, in both
 * alphabets (RFC 4648).
 */
function base64Forms(secret: Buffer, before: number): readonly string[] {
  const digits = Buffer.concat([Buffer.alloc(before), secret])
    .toString('base64')
    .replace(/=+$/, '')
    .slice(Math.ceil((before * 8) / 6));
  const decided = Math.floor(((before + secret.length) * 8) / 6) - Math.ceil((before * 8) / 6);
  if (decided < SHORTEST_BASE64) return [];
  return [digits, digits.slice(0, decided)].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
