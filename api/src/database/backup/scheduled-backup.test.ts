import { assert, integer, property } from 'fast-check';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { namedByTime, newestBackupAt, pruneBackups } from './folder.ts';
import { lastDueAt } from './scheduled-backup.ts';

const DAY_MS = 86_400_000;
const at = (text: string): number => Date.parse(text);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync('/tmp/plimsoll-scheduled-');
});
afterEach(() => rmSync(folder, { recursive: true }));
const touch = (name: string): void => writeFileSync(join(folder, name), '');

test('a backup is due at its minute of the day, and from then on until the next', () => {
  const due = (now: string): string => new Date(lastDueAt(at(now), 195)).toISOString();
  expect(due('2026-11-25T03:14:59.999Z')).toBe('2026-11-24T03:15:00.000Z');
  expect(due('2026-11-25T03:15:00.000Z')).toBe('2026-11-25T03:15:00.000Z');
  expect(due('2026-11-25T23:59:59.000Z')).toBe('2026-11-25T03:15:00.000Z');
});

test('whatever the time, the last due one is of the last 24 hours and at the minute', () => {
  assert(
    property(integer({ min: 0, max: 4e12 }), integer({ min: 0, max: 1439 }), (now, minuteOfDay) => {
      const due = lastDueAt(now, minuteOfDay);
      expect(due <= now && now - due < DAY_MS).toBe(true);
      expect((((due / 60_000) % 1440) + 1440) % 1440).toBe(minuteOfDay);
    }),
  );
});

test('the name of a backup holds its time', () => {
  expect(newestBackupAt(folder)).toBeNull();
  const now = at('2026-11-24T03:15:07.000Z');
  writeFileSync(namedByTime(folder, now - DAY_MS), '');
  writeFileSync(namedByTime(folder, now), '');
  for (const other of ['plimsoll-2027-01-01T000000Z.backup.part', 'plimsoll-9999.backup', 'notes.txt']) touch(other);
  expect(newestBackupAt(folder)).toBe(now);
});

test('pruning deletes drafts of killed writers, and leaves one that is being written', () => {
  const now = Date.now();
  const [left, written] = ['plimsoll-2026-01-20T031500Z.backup.part', 'plimsoll-2026-01-21T031500Z.backup.part'];
  for (const name of [left, written, 'mine.part', 'plimsoll-2026-01-19T031500Z.backup']) touch(name);
  for (const name of [left, 'mine.part']) utimesSync(join(folder, name), now / 1000 - 90_000, now / 1000 - 90_000);
  expect(pruneBackups(folder, 1, now)).toEqual([left]);
  expect(readdirSync(folder).toSorted()).toEqual(['mine.part', 'plimsoll-2026-01-19T031500Z.backup', written]);
});
