import { type BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { printableText } from '@plimsoll/contract/rules/printable-text';
import { CodedError } from '../errors.ts';

/** A part of a protobuf body. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Calls `visit` for each length-delimited field of a message, and `readScalar` for the others; one that returns false is
 * skipped. Throws where a field is cut.
 */
export function eachField(
  reader: BinaryReader,
  { start, end }: Range,
  visit: (field: number, range: Range) => void,
  readScalar: (field: number, type: WireType) => boolean = () => false,
): void {
  reader.pos = start;
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    // No sender uses groups. To skip one, its end must be found, which may be megabytes away, for each message anew.
    if (type === WireType.StartGroup) throw new RangeError('a field is a group');
    if (type !== WireType.LengthDelimited) {
      if (!readScalar(field, type)) reader.skip(type);
      continue;
    }
    const length = reader.uint32();
    const range = { start: reader.pos, end: reader.pos + length };
    if (range.end > end) throw new RangeError('a field is longer than its message');
    visit(field, range);
    reader.pos = range.end;
  }
  if (reader.pos !== end) throw new RangeError('a field is longer than its message');
}

/** UTF-8 takes at most four bytes a character. */
const MOST_BYTES_A_CHARACTER = 4;

/** Returns a text of at most `characters`. It cuts the bytes first: decoding a text of megabytes for each use of it is slow. */
export const textOf = (bytes: Buffer, { start, end }: Range, characters: number): string =>
  printableText(bytes.toString('utf8', start, Math.min(end, start + characters * MOST_BYTES_A_CHARACTER)), characters);

/** Runs `read`; returns false if the part of a body is not valid, so that the caller leaves out this part alone. */
export function isReadable(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof CodedError) throw error;
    return false;
  }
}
