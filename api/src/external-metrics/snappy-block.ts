import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';

/** A copy of 64 bytes takes three. */
const MOST_GROWTH = 64 / 3;

/** Returns how many bytes a block inflates to. Throws if they are too many, or more than so short a block can hold. */
export function snappySize(block: Uint8Array): number {
  const { size } = readSize(block);
  if (size > EXTERNAL_METRICS_LIMITS.inflatedBytes)
    throw new CodedError('body_too_large', 'The body is too large when it is inflated', {
      remedy: 'Send fewer samples in one request.',
    });
  if (size > block.length * MOST_GROWTH) throw invalid();
  return size;
}

/**
 * Inflates a snappy block (google/snappy, format_description.txt). Our own, because the loop of snappyjs does not end on
 * some blocks: a literal with a length of 32 bits takes it back. Here each step takes input and writes output, and the
 * head bounds the output before memory is taken.
 */
export function inflateSnappy(block: Uint8Array): Uint8Array {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  return inflate(bytes, readSize(bytes).start, Buffer.alloc(snappySize(bytes)));
}

const invalid = (): CodedError => new CodedError('invalid_snappy', 'The body is not a valid snappy block');

/** The size of the output, a varint of at most 32 bits. */
function readSize(bytes: Uint8Array): { size: number; start: number } {
  let size = 0;
  for (let at = 0; at < 5; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) throw invalid();
    size += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { size, start: at + 1 };
  }
  throw invalid();
}

/** Elements begin with a tag: its two low bits say whether bytes follow, or how many bytes the offset of a copy has. */
function inflate(bytes: Buffer, start: number, out: Buffer): Buffer {
  let [at, written] = [start, 0];
  const number = (width: number): number => {
    if (at + width > bytes.length) throw invalid();
    at += width;
    return bytes.readUIntLE(at - width, width);
  };
  while (at < bytes.length) {
    const tag = number(1);
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >>> 2;
      const length = (short < 60 ? short : number(short - 59)) + 1;
      if (at + length > bytes.length || written + length > out.length) throw invalid();
      bytes.copy(out, written, at, at + length);
      [at, written] = [at + length, written + length];
    } else {
      const length = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
      const offset = kind === 1 ? (tag >>> 5) * 256 + number(1) : number(kind === 2 ? 2 : 4);
      if (offset === 0 || offset > written || written + length > out.length) throw invalid();
      copyWithin(out, written, { offset, length });
      written += length;
    }
  }
  if (written !== out.length) throw invalid();
  return out;
}

/** A copy may read what it has just written: it repeats a pattern. */
function copyWithin(out: Buffer, written: number, { offset, length }: { offset: number; length: number }): void {
  if (offset >= length) out.copyWithin(written, written - offset, written - offset + length);
  else for (let index = written; index < written + length; index += 1) out[index] = out[index - offset] ?? 0;
}
