/** Castagnoli polynomial, reflected (RFC 3720, appendix B.4). */
const POLYNOMIAL = 0x82f63b78;

/** Signed, as the operators of the language are: the shipped program runs without a JIT, where converting costs. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value | 0;
});

/** CRC-32C of the bytes, 0 … 2^32−1. */
export function crc32c(bytes: Uint8Array): number {
  let crc = -1;
  // An index, no iterator: without a JIT that is five times as fast.
  for (let index = 0; index < bytes.length; index += 1) {
    crc = (table[(crc ^ (bytes[index] ?? 0)) & 255] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
