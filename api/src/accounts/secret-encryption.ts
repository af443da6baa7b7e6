import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const SEALING_KEY_BYTES = 32;

export const keyFileOf = (dataDir: string): string => join(dataDir, 'secret.key');
/** Returns null where no start has made a key yet. */
export const findKeyFile = (dataDir: string): Buffer | null =>
  existsSync(keyFileOf(dataDir)) ? readKeyFile(dataDir) : null;
/** Names a key without revealing it. */
export const keyId = (key: Buffer): string =>
  createHmac('sha256', key).update('plimsoll: name of the sealing key').digest('hex').slice(0, 16);

/**
 * The key of this installation, made at the first start and readable by its owner only. Lose it and what it sealed is
 * lost.
 */
export function readKeyFile(dataDir: string): Buffer {
  const file = keyFileOf(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(SEALING_KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.length !== SEALING_KEY_BYTES)
    throw new Error(`${file} is damaged: restore it from a backup of the data folder`);
  return key;
}

/**
 * AES-256-GCM for secrets that must be read again (second factors, channel tokens). `context` names the row: a sealed
 * value moved to another row does not open. Layout: nonce, tag, ciphertext.
 */
export class SecretBox {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    if (key.length !== SEALING_KEY_BYTES) throw new RangeError('the sealing key must be 32 bytes');
    this.#key = key;
  }

  seal(plain: Uint8Array, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  /** Throws when the value was changed, moved, or sealed with another key. */
  open(sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  }
}
