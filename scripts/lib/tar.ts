/** One file of an archive. */
export interface Entry {
  name: string;
  content: Buffer;
  executable?: boolean;
}

const BLOCK = 512;
const NAME_BYTES = 100;
const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;

function header({ name, content, executable = false }: Entry): Buffer {
  if (Buffer.byteLength(name) >= NAME_BYTES) throw new Error(`name too long for an archive: ${name}`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(octal(executable ? 0o755 : 0o644, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(content.length, 11), 124);
  block.write(octal(0, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)} `, 148);
  return block;
}

/**
 * A POSIX ustar archive with nothing of this machine in it: owner 0, time 0, entries in the order given.
 * The system's tar would do, but only GNU's can leave owner and time out.
 */
export function tar(entries: Entry[]): Buffer {
  const parts = entries.flatMap((entry) => [
    header(entry),
    entry.content,
    Buffer.alloc((BLOCK - (entry.content.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}
