import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { ACCEPTED_FILE, ALIVE_FILE, aliveDuring, probeFilesKeeper } from './probe-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-accepted-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const kept = (file = ACCEPTED_FILE) => readFileSync(join(folder, file), 'utf8');

test('the file appears with the first accepted report and changes with each', () => {
  const sender: { acceptedAt: number | null } = { acceptedAt: null };
  const { onSent: keep } = probeFilesKeeper(diskAt(folder), sender);
  keep();
  expect(() => kept()).toThrow('ENOENT');
  sender.acceptedAt = 1000;
  keep();
  expect(kept()).toBe('1000');
  rmSync(join(folder, ACCEPTED_FILE));
  keep();
  expect(() => kept()).toThrow('ENOENT');
  sender.acceptedAt = 1060;
  keep();
  expect(kept()).toBe('1060');
});

test('a collection renews the file of liveness, accepted or not', () => {
  const { onCollected } = probeFilesKeeper(diskAt(folder), { acceptedAt: null });
  onCollected({ ts: 1000, up: 1 }, {});
  expect(kept(ALIVE_FILE)).toBe('1000');
  expect(() => kept()).toThrow('ENOENT');
});

test('an agent that waits to be enrolled renews it every minute, and no longer', async () => {
  vi.useFakeTimers();
  try {
    const enrolled = Promise.withResolvers<string>();
    const waiting = aliveDuring(diskAt(folder), () => enrolled.promise);
    for (const minute of [0, 1, 2]) {
      expect([minute, kept(ALIVE_FILE)]).toEqual([minute, 'waiting to be enrolled']);
      rmSync(join(folder, ALIVE_FILE));
      vi.advanceTimersByTime(60_000);
    }
    enrolled.resolve('server');
    expect(await waiting).toBe('server');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
