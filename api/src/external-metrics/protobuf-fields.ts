import { type BinaryReader, WireType } from '@bufbuild/protobuf/wire';

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
