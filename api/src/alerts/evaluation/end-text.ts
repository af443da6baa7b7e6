import { cutText } from '@plimsoll/contract/rules/printable-text';
import type { LastEnd } from '../cluster-objects.ts';

/** Characters of a container's last words in an alert; a message has room for one line. */
const MOST_CHARACTERS = 120;
const MIB = 2 ** 20;

/** Returns an amount of memory as the screens show it: 256 MB, 1.5 GB. */
export const memoryText = (bytes: number): string =>
  bytes >= 1024 * MIB ? `${String(Math.round(bytes / MIB / 102.4) / 10)} GB` : `${String(Math.round(bytes / MIB))} MB`;

/** Returns why a container ended: "OOMKilled at 256 MB", "last exit 1: panic: cannot open database". Null: nothing is known. */
export function endText({ reason, exitCode, message, memoryLimitBytes }: LastEnd): string | null {
  if (reason === 'OOMKilled')
    return memoryLimitBytes === null ? reason : `${reason} at ${memoryText(memoryLimitBytes)}`;
  // Kubernetes writes "Error" and "Completed" for every end, and the exit code says more.
  const name = reason === null || reason === 'Error' || reason === 'Completed' ? null : reason;
  const exit = exitCode === null ? null : `last exit ${String(exitCode)}`;
  const head = [name, exit].filter((part) => part !== null).join(', ');
  const line = lastLine(message ?? '');
  if (head === '') return null;
  return line === '' ? head : `${head}: ${line}`;
}

const lastLine = (text: string): string =>
  cutText(
    text
      .split('\n')
      .map((line) => line.trim())
      .findLast((line) => line !== '') ?? '',
    MOST_CHARACTERS,
  );
