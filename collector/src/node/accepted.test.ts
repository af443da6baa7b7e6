import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { ACCEPTED_FILE, acceptedKeeper } from './accepted.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-accepted-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const kept = () => readFileSync(join(folder, ACCEPTED_FILE), 'utf8');

test('the file appears with the first accepted report and changes with each', () => {
  const sender: { acceptedAt: number | null } = { acceptedAt: null };
  const keep = acceptedKeeper(diskAt(folder), sender);
  keep();
  expect(kept).toThrow('ENOENT');
  sender.acceptedAt = 1000;
  keep();
  expect(kept()).toBe('1000');
  rmSync(join(folder, ACCEPTED_FILE));
  keep();
  expect(kept).toThrow('ENOENT');
  sender.acceptedAt = 1060;
  keep();
  expect(kept()).toBe('1060');
});
