import { randomBytes, scrypt as scryptCallback, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { HashQueue } from './hash-queue.ts';

const scrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scryptCallback);

/** Parameters of scrypt: rounds, block size, parallelism. */
interface Cost {
  N: number;
  r: number;
  p: number;
}
/** OWASP's parameters for scrypt with 32 MiB; about 90 ms of one core on the machines we measured. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
/** Bounds what one verification may cost, also when somebody wrote the hash by hand. */
const MOST = { bytes: 256 * 1024 * 1024, work: 2 ** 24 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const queue = new HashQueue();

/** The memory scrypt takes; OpenSSL counts some more for its own tables. */
const bytesOf = ({ N, r, p }: Cost): number => 128 * r * (N + p + 2);

const derive = (password: string, salt: Buffer, cost: Cost, isTrusted: boolean): Promise<Buffer> =>
  queue.run(
    () => scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: 2 * bytesOf(cost) }),
    isTrusted,
  );

/**
 * Returns `scrypt$N$r$p$salt$key`: a hash is verified with its own parameters and replaced at the next sign-in. Throws
 * `overloaded` while too many passwords are being hashed.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST, true);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$');
}

interface StoredHash {
  cost: Cost;
  salt: Buffer;
  key: Buffer;
}
/** Spent on unknown addresses, so that the time of an answer does not show who has an account. */
const NOBODY: StoredHash = { cost: COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };

/** Returns null for anything but a hash of ours, and for parameters that are out of bounds. */
function parseHash(stored: string): StoredHash | null {
  const [scheme, n, r, p, salt = '', key = '', ...rest] = stored.split('$');
  const cost: Cost = { N: Number(n), r: Number(r), p: Number(p) };
  if (scheme !== 'scrypt' || rest.length > 0 || !isBounded(cost)) return null;
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
}

function isBounded(cost: Cost): boolean {
  const { N, r, p } = cost;
  const isWhole = [N, r, p].every((one) => Number.isSafeInteger(one) && one >= 1);
  const isPowerOfTwo = N >= 2 && Number.isInteger(Math.log2(N));
  return isWhole && isPowerOfTwo && bytesOf(cost) <= MOST.bytes && N * r * p <= MOST.work;
}

/**
 * Returns false for `stored` null (no such account, or one without a password), after the same time. `isTrusted`: a
 * remembered device, which is served before strangers. Throws `overloaded` as above.
 */
export async function verifyPassword(password: string, stored: string | null, isTrusted = false): Promise<boolean> {
  const known = stored === null ? null : parseHash(stored);
  const { cost, salt, key } = known ?? NOBODY;
  const derived = await derive(password, salt, cost, isTrusted);
  const isSame = key.length === derived.length && timingSafeEqual(key, derived);
  return isSame && known !== null;
}

/** Returns true for a hash with other parameters than those of today. */
export function isOutdated(stored: string): boolean {
  const cost = parseHash(stored)?.cost;
  return cost === undefined || cost.N !== COST.N || cost.r !== COST.r || cost.p !== COST.p;
}
