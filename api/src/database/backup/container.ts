/**
 * The file around the content. Two lines of text, then chunks until one is marked as the last:
 *
 *     PLIMSOLL BACKUP
 *     {"format":1,…}                            how the content is encrypted, when and by which version it was made
 *     length (4 bytes, top bit: last) body seal
 *
 * The seal is the tag of AES-256-GCM, or SHA-256 in a file without encryption. It covers the header, the number of the
 * chunk and the mark of the last one, so a chunk that is changed, moved, repeated or missing is found.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { BackupError } from './errors.ts';

export const MAGIC = 'PLIMSOLL BACKUP\n';
const FORMAT = 1;
export const CHUNK_BYTES = 64 * 1024;
/** scrypt takes 128 × N × r bytes: 128 MiB, the first choice of OWASP's password storage sheet. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
/** A header of a stranger must not make a restore take all memory. */
const MAX_COST = { N: 2 ** 20, r: 16, p: 4 } as const;
const MAX_HEADER_BYTES = 4096;
const LAST = 0x8000_0000;
const TAG_BYTES = 16;
const DIGEST_BYTES = 32;
const KEY_BYTES = 32;

interface Encryption {
  cipher: 'aes-256-gcm';
  kdf: 'scrypt';
  N: number;
  r: number;
  p: number;
  /** Base64. A new salt gives each file a key of its own, so the number of a chunk may be its nonce. */
  salt: string;
  /** Base64. The second half of what scrypt returns: a wrong passphrase is found before anything is read. */
  check: string;
}
export interface Header {
  format: typeof FORMAT;
  plimsoll: string;
  createdAt: string;
  encryption: Encryption | null;
}

interface Keyed {
  key: Buffer;
  check: Buffer;
}
const derive = (passphrase: string, salt: Buffer, { N, r, p }: Pick<Encryption, 'N' | 'r' | 'p'>): Promise<Keyed> => {
  const { promise, resolve, reject } = Promise.withResolvers<Keyed>();
  const maxmem = 128 * N * r * p + 32 * 1024 * 1024;
  scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES * 2, { N, r, p, maxmem }, (error, bytes) => {
    if (error) reject(error);
    else resolve({ key: bytes.subarray(0, KEY_BYTES), check: bytes.subarray(KEY_BYTES) });
  });
  return promise;
};

export interface Sealing {
  /** The two lines at the start of a file. */
  head: Buffer;
  seal: Seal;
}
/** Seals and opens one chunk. Throws on a chunk that is not the one that was sealed here. */
interface Seal {
  bytes: number;
  close(index: number, length: Buffer, body: Buffer): Buffer[];
  open(index: number, length: Buffer, body: Buffer, seal: Buffer): Buffer;
}

/** The number of the chunk in the lower bytes, and 1 in the first byte of the last chunk. */
const nonceOf = (index: number, length: Buffer): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce[0] = (length[0] ?? 0) >> 7;
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
};

const encrypted = (key: Buffer, head: Buffer): Seal => ({
  bytes: TAG_BYTES,
  close: (index, length, body) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index, length)).setAAD(Buffer.concat([head, length]));
    const sealed = [cipher.update(body), cipher.final()];
    return [length, ...sealed, cipher.getAuthTag()];
  },
  open: (index, length, body, seal) => {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, length), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.concat([head, length]))
      .setAuthTag(seal);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  },
});

const digested = (head: Buffer): Seal => {
  const digest = (index: number, length: Buffer, body: Buffer): Buffer =>
    createHash('sha256').update(head).update(nonceOf(index, length)).update(length).update(body).digest();
  return {
    bytes: DIGEST_BYTES,
    close: (index, length, body) => [length, body, digest(index, length, body)],
    open: (index, length, body, seal) => {
      if (!timingSafeEqual(digest(index, length, body), seal)) throw new Error('digest');
      return body;
    },
  };
};

/** Prepares a new file. With a passphrase its content is encrypted. */
export async function prepareSeal(
  about: Pick<Header, 'plimsoll' | 'createdAt'>,
  passphrase: string | null,
  cost: Pick<Encryption, 'N' | 'r' | 'p'> = COST,
): Promise<Sealing> {
  const salt = randomBytes(16);
  const keyed = passphrase === null ? null : await derive(passphrase, salt, cost);
  const encryption: Encryption | null = keyed && {
    cipher: 'aes-256-gcm',
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    check: keyed.check.toString('base64'),
  };
  const header: Header = { format: FORMAT, ...about, encryption };
  const head = Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`);
  return { head, seal: keyed ? encrypted(keyed.key, head) : digested(head) };
}

const lengthOf = (bytes: number, isLast: boolean): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE((isLast ? LAST + bytes : bytes) >>> 0);
  return length;
};

/** Cuts the content into sealed chunks. An empty content is one empty, last chunk. */
export async function* sealContent(
  content: AsyncIterable<Buffer>,
  { head, seal }: Sealing,
): AsyncGenerator<Buffer, void> {
  yield head;
  let index = 0;
  let waiting: Buffer = Buffer.alloc(0);
  for await (const piece of content) {
    waiting = waiting.length === 0 ? piece : Buffer.concat([waiting, piece]);
    // The last chunk is marked, so one stays back until the content has ended.
    while (waiting.length > CHUNK_BYTES) {
      yield* seal.close(index++, lengthOf(CHUNK_BYTES, false), waiting.subarray(0, CHUNK_BYTES));
      waiting = waiting.subarray(CHUNK_BYTES);
    }
  }
  yield* seal.close(index, lengthOf(waiting.length, true), waiting);
}

/** Takes exact amounts from a stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffered: Buffer[] = [];
  #size = 0;
  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns fewer bytes only where the stream ends. */
  async take(bytes: number): Promise<Buffer> {
    while (this.#size < bytes) {
      const next = await this.#source.next();
      if (next.done === true) break;
      this.#buffered.push(next.value);
      this.#size += next.value.length;
    }
    const all = this.#buffered.length === 1 ? (this.#buffered[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#buffered);
    const taken = all.subarray(0, bytes);
    const rest = all.subarray(taken.length);
    this.#buffered = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return taken;
  }

  /** Returns a line with its end; null where the stream or `most` bytes end first. */
  async line(most: number): Promise<Buffer | null> {
    const bytes: Buffer[] = [];
    for (let read = 0; read < most; read += 1) {
      const byte = await this.take(1);
      if (byte.length === 0) return null;
      bytes.push(byte);
      if (byte[0] === 0x0a) return Buffer.concat(bytes);
    }
    return null;
  }
}

const isCost = ({ N, r, p }: Encryption): boolean =>
  [N, r, p].every((value) => Number.isInteger(value) && value > 0) &&
  N <= MAX_COST.N &&
  r <= MAX_COST.r &&
  p <= MAX_COST.p;

function parseHeader(line: Buffer): Header {
  const damaged = new BackupError('damaged', 'The header of the backup is damaged. Use another copy of the file.');
  let header: Header;
  try {
    header = JSON.parse(line.toString()) as Header;
  } catch {
    throw damaged;
  }
  if (typeof header.format !== 'number') throw damaged;
  if (header.format > FORMAT)
    throw new BackupError(
      'unsupported',
      `The backup has format ${String(header.format)}; this version reads format ${String(FORMAT)}. Restore it with the version of Plimsoll that made it, or a newer one.`,
    );
  if (header.encryption !== null && !isCost(header.encryption)) throw damaged;
  return header;
}

async function sealOf({ encryption }: Header, head: Buffer, passphrase: string | null): Promise<Seal> {
  if (encryption === null) return digested(head);
  if (passphrase === null)
    throw new BackupError(
      'passphrase_missing',
      'The backup is encrypted. Set PLIMSOLL_BACKUP_PASSPHRASE_FILE to a file with its passphrase.',
    );
  const { key, check } = await derive(passphrase, Buffer.from(encryption.salt, 'base64'), encryption);
  const expected = Buffer.from(encryption.check, 'base64');
  if (expected.length !== check.length || !timingSafeEqual(expected, check))
    throw new BackupError(
      'passphrase_wrong',
      'The passphrase does not fit this backup. Set PLIMSOLL_BACKUP_PASSPHRASE_FILE to the file with the one it was made with.',
    );
  return encrypted(key, head);
}

export interface Opened {
  header: Header;
  /** Throws where a chunk is damaged or the file ends too early. */
  content: AsyncGenerator<Buffer, void>;
}

/** Reads the head of a file and returns its content, chunk by chunk as it is checked. */
export async function openContainer(source: AsyncIterable<Buffer>, passphrase: string | null): Promise<Opened> {
  const reader = new ByteReader(source);
  const magic = await reader.take(MAGIC.length);
  if (magic.toString('latin1') !== MAGIC)
    throw new BackupError('not_a_backup', 'The file is not a backup of Plimsoll. Check its path.');
  const line = await reader.line(MAX_HEADER_BYTES);
  if (line === null) throw truncated(0);
  const header = parseHeader(line);
  const seal = await sealOf(header, Buffer.concat([magic, line]), passphrase);
  return { header, content: openChunks(reader, seal) };
}

const truncated = (chunk: number): BackupError =>
  new BackupError(
    'truncated',
    `The backup ends too early, in chunk ${String(chunk)}. It was cut off while it was written or copied. Use another copy of the file.`,
  );

async function* openChunks(reader: ByteReader, seal: Seal): AsyncGenerator<Buffer, void> {
  for (let index = 0; ; index += 1) {
    const damaged = new BackupError(
      'damaged',
      `The backup is damaged in chunk ${String(index)}. Use another copy of the file.`,
    );
    const length = await reader.take(4);
    if (length.length < 4) throw truncated(index);
    const word = length.readUInt32BE();
    const isLast = word >= LAST;
    const size = isLast ? word - LAST : word;
    if (size > CHUNK_BYTES) throw damaged;
    const sealed = await reader.take(size + seal.bytes);
    if (sealed.length < size + seal.bytes) throw truncated(index);
    let body: Buffer;
    try {
      body = seal.open(index, length, sealed.subarray(0, size), sealed.subarray(size));
    } catch {
      throw damaged;
    }
    if (isLast && (await reader.take(1)).length > 0) throw damaged;
    yield body;
    if (isLast) return;
  }
}
