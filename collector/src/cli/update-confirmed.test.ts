import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { Spool } from '../send/spool.ts';
import { countedStreams, smallReport } from '../testing/reports.ts';
import { acceptedSince } from './update-confirmed.ts';

/** A state directory whose spool holds one report per moment given. */
async function spooled(...moments: number[]): Promise<{ state: string; spool: Spool }> {
  const state = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const spool = new Spool({ disk: diskAt(join(state, 'spool')), newStream: countedStreams() });
  for (const [index, ts] of moments.entries()) await spool.append(smallReport(ts, index), 'boot');
  return { state, spool };
}
const streamOf = (spool: Spool): string => spool.entries[0]?.stream ?? '';

test('a report that waits in the spool is not accepted', async () => {
  const { state } = await spooled(1000);
  expect(acceptedSince(state, 900)).toBe(false);
});

test('a settled report counts from the moment it was collected', async () => {
  const { state, spool } = await spooled(1000, 1060);
  spool.settle(streamOf(spool), 1, []);
  expect(acceptedSince(state, 1000)).toBe(true);
  expect(acceptedSince(state, 1001)).toBe(false);
  spool.settle(streamOf(spool), 2, []);
  expect(acceptedSince(state, 1001)).toBe(true);
});

test('backlog accepted now is no proof that the present run reports', async () => {
  const { state, spool } = await spooled(1000, 1060, 5000);
  spool.settle(streamOf(spool), 2, []);
  expect(acceptedSince(state, 4000)).toBe(false);
});

test('without a spool nothing was accepted, and none is made', () => {
  const state = join(tmpdir(), 'plimsoll-not-there');
  expect(acceptedSince(state, 0)).toBe(false);
});
