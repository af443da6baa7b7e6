import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own, gone when the test ends. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
