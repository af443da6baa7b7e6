import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isSignedBy, signatureOf } from './signature.ts';

const SUMS = 'SHA256SUMS';
const LINE = /^([0-9a-f]{64}) {2}(\S+)$/;

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
const filesIn = (folder: string, pattern: string): string[] =>
  globSync(pattern, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted();

/** Writes SHA256SUMS over the files of a folder, in the format of sha256sum. Leaves signatures out. */
export function writeSums(folder: string): string {
  const names = filesIn(folder, '*').filter((name) => name !== SUMS && !name.endsWith('.sig'));
  if (names.length === 0) throw new Error(`${folder}: holds no files`);
  const text = names.map((name) => `${sha256(join(folder, name))}  ${name}\n`).join('');
  writeFileSync(join(folder, SUMS), text);
  return text.trimEnd();
}

/** Returns SHA256SUMS and the checksum beside each kit. */
const checksumsIn = (folder: string): string[] => [...filesIn(folder, '*.sha256'), ...filesIn(folder, SUMS)];

/** Signs each checksum in a folder. A checksum names version and platform, so a signature holds for these alone. */
export function signSums(folder: string, privatePem: string): string {
  const names = checksumsIn(folder);
  if (names.length === 0) throw new Error(`${folder}: holds no checksums`);
  for (const name of names) {
    const file = join(folder, name);
    writeFileSync(`${file}.sig`, signatureOf(readFileSync(file), privatePem));
  }
  return names.map((name) => `${name}.sig`).join('\n');
}

function verifyOne(folder: string, name: string, publicKey: string): string[] {
  const content = readFileSync(join(folder, name));
  const signature =
    filesIn(folder, `${name}.sig`).length === 1 ? readFileSync(join(folder, `${name}.sig`), 'utf8') : '';
  if (!isSignedBy(content, signature, publicKey)) return [`${name}: not signed by this key`];
  const lines = content.toString().trimEnd().split('\n');
  return lines.flatMap((line) => {
    const [, sum, file = ''] = LINE.exec(line) ?? [];
    if (sum === undefined || basename(file) !== file) return [`${name}: "${line}" is no checksum`];
    if (filesIn(folder, file).length === 0) return [`${file}: is missing`];
    return sha256(join(folder, file)) === sum ? [] : [`${file}: has another checksum`];
  });
}

/** Checks every checksum of a folder and its signature. Throws listing every fault. */
export function verifyFolder(folder: string, publicKey: string): string {
  const names = checksumsIn(folder);
  const faults = names.flatMap((name) => verifyOne(folder, name, publicKey));
  if (names.length === 0) faults.push(`${folder}: holds no checksums`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return `${String(names.length)} checksums verified`;
}
