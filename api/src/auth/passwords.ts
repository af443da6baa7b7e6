import { randomBytes, scrypt as scryptCallback, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

const scrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scryptCallback);

/** OWASP's parameters for scrypt with 32 MiB; about 90 ms of one core on the machines we measured. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Hashing is the only expensive thing an anonymous caller can ask for: at most this many at once, the rest wait. */
const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  oneOfFew(() => scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST));

/** `scrypt$N$r$p$salt$key`, so that the parameters can be raised later without breaking old hashes. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** Spent on unknown addresses, so that the time of an answer does not tell who has an account. */
const NOBODY = `scrypt$${String(COST.N)}$${String(COST.r)}$${String(COST.p)}$${Buffer.alloc(SALT_BYTES).toString('base64')}$${Buffer.alloc(KEY_BYTES).toString('base64')}`;

/** `stored` null (no such account, or one without a password) takes as long and is false. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [scheme, n, r, p, salt, key] = (stored ?? NOBODY).split('$');
  const known = scheme === 'scrypt' && Number(n) === COST.N && Number(r) === COST.r && Number(p) === COST.p;
  const expected = Buffer.from(key ?? '', 'base64');
  const derived = await derive(password, Buffer.from(salt ?? '', 'base64'));
  const same = expected.length === derived.length && timingSafeEqual(expected, derived);
  return known && same && stored !== null;
}
