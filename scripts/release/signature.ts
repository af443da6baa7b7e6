import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/**
 * ECDSA on P-256 with SHA-256, the signature as base64 of DER. Every openssl verifies it with `dgst -verify`, macOS'
 * LibreSSL too; Ed25519 needs OpenSSL 3. `cosign verify-blob --key` takes the same signature.
 */
const CURVE = 'P-256';

/** Writes FILE (private, PEM, readable by its owner only) and FILE.pub. Returns what to do with them. */
export function writeKeyPair(file: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  const text = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  writeFileSync(`${file}.pub`, `${text}\n`);
  return `${file}: the secret PLIMSOLL_SIGNING_KEY of the environment "release". Keep a copy offline.\n${file}.pub: the variable PLIMSOLL_RELEASE_KEY of the repository.`;
}

/** Reads a public key as `writeKeyPair` writes it. Throws with the remedy when it is none. */
export function readPublicKey(text: string) {
  try {
    const key = createPublicKey({ key: Buffer.from(text.trim(), 'base64'), type: 'spki', format: 'der' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // The same remedy.
  }
  throw new Error('--key: is no public key. Pass the line of the .pub file that "npm run release -- key" writes.');
}

/** Returns the signature of `content` as one line of base64. */
export const signatureOf = (content: Buffer, privatePem: string): string =>
  `${sign('sha256', content, createPrivateKey(privatePem)).toString('base64')}\n`;

export const isSignedBy = (content: Buffer, signature: string, publicKey: string): boolean =>
  verify('sha256', content, readPublicKey(publicKey), Buffer.from(signature.trim(), 'base64'));
