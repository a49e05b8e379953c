/** The authorities that a server's certificate may come from. */

import { rootCertificates } from 'node:tls';
import { BuddyError } from './errors.js';
import { fileTrouble, readText } from './files.js';

async function readCertificates(path: string, by: string): Promise<string> {
  let text: string;
  try {
    text = await readText(path);
  } catch (thrown) {
    throw new BuddyError('network.certificate', `${by}: ${path} cannot be read: ${fileTrouble(thrown)}`, {
      hint: 'Name a file of certificates in PEM form, or take the line out.',
      cause: thrown,
    });
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new BuddyError('network.certificate', `${by}: ${path} holds no certificate in PEM form`, {
    hint: 'It must contain a block that begins with -----BEGIN CERTIFICATE-----.',
  });
}

/**
 * The usual authorities and those of `path`. `nodeExtra` is NODE_EXTRA_CA_CERTS, which Node itself forgets as soon as it is
 * given a list. Throws `network.certificate`; `by` says where `path` was written.
 */
export async function authoritiesWith(path: string, by: string, nodeExtra: string | undefined): Promise<readonly string[]> {
  const own = await readCertificates(path, by);
  const extra = (nodeExtra ?? '') === '' ? [] : [await readCertificates(nodeExtra ?? '', 'NODE_EXTRA_CA_CERTS')];
  return [...rootCertificates, ...extra, own];
}
