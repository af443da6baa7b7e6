/**
 * Reads the parts of a 64-bit little-endian Mach-O file that its code signature depends on.
 * Numbers are those of <mach-o/loader.h>.
 */
const MH_MAGIC_64 = 0xfeedfacf;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const HEADER_BYTES = 32;

export interface Segment {
  name: string;
  /** Offset of its load command in the file. */
  command: number;
  fileOffset: number;
  fileSize: number;
}

export interface MachO {
  segments: Segment[];
  /** The LC_CODE_SIGNATURE command: where it stands, and the bytes of the file it names. */
  signature: { command: number; offset: number; size: number };
}

const number64 = (file: Buffer, at: number): number => Number(file.readBigUInt64LE(at));

/** Throws when the file is not a thin 64-bit Mach-O or carries no room for a signature. */
export function readMachO(file: Buffer): MachO {
  if (file.length < HEADER_BYTES || file.readUInt32LE(0) !== MH_MAGIC_64)
    throw new Error('not a thin 64-bit Mach-O file');
  const segments: Segment[] = [];
  let signature: MachO['signature'] | undefined;
  let at = HEADER_BYTES;
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const kind = file.readUInt32LE(at);
    if (kind === LC_SEGMENT_64) {
      const name = file.toString('latin1', at + 8, at + 24).replace(/\0+$/, '');
      segments.push({ name, command: at, fileOffset: number64(file, at + 40), fileSize: number64(file, at + 48) });
    } else if (kind === LC_CODE_SIGNATURE) {
      signature = { command: at, offset: file.readUInt32LE(at + 8), size: file.readUInt32LE(at + 12) };
    }
    at += file.readUInt32LE(at + 4);
  }
  if (!signature) throw new Error('the Mach-O file has no LC_CODE_SIGNATURE');
  return { segments, signature };
}

export function segmentOf(image: MachO, name: string): Segment {
  const found = image.segments.find((segment) => segment.name === name);
  if (!found) throw new Error(`the Mach-O file has no segment ${name}`);
  return found;
}
