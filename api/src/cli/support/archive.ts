import { errorText } from '@plimsoll/contract/rules/error-text';
import { createGzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { redactAll, redactLine } from './redact.ts';

/** One file of the bundle. A part that fails is replaced by its error: the others are needed all the more. */
export interface Part {
  name: string;
  /** Redacted already where it is text; any other value becomes redacted JSON. */
  make: () => unknown;
}

async function contentOf({ make }: Part): Promise<{ content: string; failed: boolean }> {
  try {
    const made = await make();
    const content = typeof made === 'string' ? made : `${JSON.stringify(redactAll(toJson(made)), null, 2)}\n`;
    return { content, failed: false };
  } catch (error) {
    const failure = redactLine(errorText(error));
    return { content: `${JSON.stringify({ failed: failure }, null, 2)}\n`, failed: true };
  }
}

/** Dates become text before the redaction looks at it. */
const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Writes the parts as a tar.gz below one folder. Returns the names of the parts that failed. */
export async function writeArchive(
  target: NodeJS.WritableStream,
  folder: string,
  parts: readonly Part[],
): Promise<string[]> {
  const archive = pack();
  const written = pipeline(archive, createGzip(), target);
  const failures: string[] = [];
  for (const part of parts) {
    const { content, failed } = await contentOf(part);
    if (failed) failures.push(part.name);
    archive.entry({ name: `${folder}/${part.name}`, mode: 0o600 }, content);
  }
  archive.finalize();
  await written;
  return failures;
}
