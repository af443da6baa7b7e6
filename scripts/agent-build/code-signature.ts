import { createHash } from 'node:crypto';
import { readMachO, segmentOf } from './mach-o.ts';
import type { MachO } from './mach-o.ts';

/**
 * Ad-hoc code signatures, as the linker of Xcode writes them. Bun patches its payload into a darwin-x64 runtime and
 * leaves Apple's signature of the runtime behind, which no longer fits; macOS may kill a program over that.
 * Layout and numbers: xnu, osfmk/kern/cs_blobs.h (big-endian).
 */
const EMBEDDED_SIGNATURE = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const WITH_EXEC_SEGMENT = 0x20400;
const ADHOC_LINKER_SIGNED = 0x20002;
const EXEC_SEG_MAIN_BINARY = 1n;
const SHA256 = { type: 2, bytes: 32 } as const;
const PAGE_BITS = 12;
const SUPER_BLOB_BYTES = 20;
const DIRECTORY_BYTES = 88;

const pageHash = (file: Buffer, page: number, pageBytes: number, limit: number): Buffer =>
  createHash('sha256')
    .update(file.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, limit)))
    .digest();

/** Returns the offset of the first CodeDirectory in the file. */
function codeDirectoryAt(file: Buffer, image: MachO): number {
  const start = image.signature.offset;
  for (let blob = 0; blob < file.readUInt32BE(start + 8); blob++) {
    const at = start + file.readUInt32BE(start + 16 + blob * 8);
    if (file.readUInt32BE(at) === CODE_DIRECTORY) return at;
  }
  throw new Error('the signature has no CodeDirectory');
}

/** The numbers of the pages whose hash is not the one the signature carries, and how many pages it covers. */
export function checkSignature(file: Buffer): { pages: number; stale: number[] } {
  const at = codeDirectoryAt(file, readMachO(file));
  const hashes = at + file.readUInt32BE(at + 16);
  const pages = file.readUInt32BE(at + 28);
  const limit = file.readUInt32BE(at + 32);
  const pageBytes = 2 ** file.readUInt8(at + 39);
  const stale: number[] = [];
  for (let page = 0; page < pages; page++) {
    const wanted = file.subarray(hashes + page * SHA256.bytes, hashes + (page + 1) * SHA256.bytes);
    if (!pageHash(file, page, pageBytes, limit).equals(wanted)) stale.push(page);
  }
  return { pages, stale };
}

function codeDirectory(file: Buffer, image: MachO, identifier: string): Buffer {
  const limit = image.signature.offset;
  const pageBytes = 2 ** PAGE_BITS;
  const pages = Math.ceil(limit / pageBytes);
  const text = segmentOf(image, '__TEXT');
  const name = Buffer.from(`${identifier}\0`, 'utf8');
  const hashes = DIRECTORY_BYTES + name.length;
  const directory = Buffer.alloc(hashes + pages * SHA256.bytes);
  const words = [CODE_DIRECTORY, directory.length, WITH_EXEC_SEGMENT, ADHOC_LINKER_SIGNED, hashes, DIRECTORY_BYTES];
  [...words, 0, pages, limit].forEach((word, index) => directory.writeUInt32BE(word, index * 4));
  directory.set([SHA256.bytes, SHA256.type, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(BigInt(text.fileOffset), 64);
  directory.writeBigUInt64BE(BigInt(text.fileSize), 72);
  directory.writeBigUInt64BE(EXEC_SEG_MAIN_BINARY, 80);
  name.copy(directory, DIRECTORY_BYTES);
  for (let page = 0; page < pages; page++)
    pageHash(file, page, pageBytes, limit).copy(directory, hashes + page * SHA256.bytes);
  return directory;
}

/** Returns the length of the signature. The load commands name it, and they stand in the first page it hashes. */
const signatureBytes = (image: MachO, identifier: string): number =>
  SUPER_BLOB_BYTES +
  DIRECTORY_BYTES +
  Buffer.byteLength(identifier) +
  1 +
  Math.ceil(image.signature.offset / 2 ** PAGE_BITS) * SHA256.bytes;

/** A copy of a Mach-O file whose signature is replaced by an ad-hoc one over its present content. */
export function signAdHoc(file: Buffer, identifier: string): Buffer {
  const image = readMachO(file);
  const { command, offset } = image.signature;
  const size = signatureBytes(image, identifier);
  const signed = Buffer.alloc(offset + size);
  file.copy(signed, 0, 0, offset);
  const linkEdit = segmentOf(image, '__LINKEDIT');
  signed.writeUInt32LE(size, command + 12);
  signed.writeBigUInt64LE(BigInt(offset + size - linkEdit.fileOffset), linkEdit.command + 48);
  [EMBEDDED_SIGNATURE, size, 1, 0, SUPER_BLOB_BYTES].forEach((word, index) =>
    signed.writeUInt32BE(word, offset + index * 4),
  );
  codeDirectory(signed, image, identifier).copy(signed, offset + SUPER_BLOB_BYTES);
  return signed;
}
