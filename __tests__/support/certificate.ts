/** Certificates for tests, signed by themselves and made anew each time: no key lies in the repository. */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, both PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A value of DER (X.690): tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const text = (tag: number, value: string) => der(tag, Buffer.from(value, 'latin1'));
/** GeneralizedTime of RFC 5280. */
const time = (at: Date) => text(0x18, `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`);

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const ALTERNATIVE_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';
const DAY_MS = 86_400_000;

/** A certificate for `name` (and 127.0.0.1 with it when the name is localhost), valid from `fromDays` to `toDays` from now. */
export function selfSigned(name = 'localhost', fromDays = -1, toDays = 1): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const subject = sequence(der(0x31, sequence(oid(COMMON_NAME), text(0x0c, `${name} ${randomBytes(4).toString('hex')}`))));
  const names = [text(0x82, name), ...(name === 'localhost' ? [der(0x87, Buffer.from([127, 0, 0, 1]))] : [])];
  const extensions = sequence(
    sequence(oid(ALTERNATIVE_NAME), der(0x04, sequence(...names))),
    sequence(oid(BASIC_CONSTRAINTS), der(0x04, sequence(der(0x01, Buffer.from([255]))))),
  );
  const now = Date.now();
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    sequence(time(new Date(now + fromDays * DAY_MS)), time(new Date(now + toDays * DAY_MS))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines =
    sequence(body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
