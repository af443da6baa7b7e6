import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { memoryDisk } from '../testing/memory-disk.ts';
import { countedStreams, fullReport, smallReport } from '../testing/reports.ts';
import { LEVEL, Spool, SPOOL_LIMITS, type Unnumbered } from './spool.ts';
import { enforceBounds } from './spool-bounds.ts';

const DAY = SPOOL_LIMITS.ageSeconds;
const newSpool = (): Spool => new Spool({ disk: memoryDisk(), newStream: countedStreams(), segmentBytes: 8000 });
const secondsOf = (spool: Spool): number[] => spool.entries.map(({ up }) => up);
/** Every number that is pending or was declared, of all streams. */
function numbersOf(spool: Spool): number {
  const declared = spool.dropped.streams().flatMap((stream) => spool.dropped.of(stream));
  return spool.entries.length + declared.reduce((sum, { n }) => sum + n, 0);
}

describe('the age of a report', () => {
  let spool: Spool;
  beforeEach(async () => {
    spool = newSpool();
    for (const up of [100, 200, 300]) await spool.append(smallReport(1000 + up, up), 'boot-1');
  });

  it('is bounded by a day, to the second', async () => {
    await enforceBounds(spool, { ts: 1100 + DAY, up: 100 + DAY, boot: 'boot-1' });
    expect(secondsOf(spool)).toEqual([100, 200, 300]);
    await enforceBounds(spool, { ts: 1101 + DAY, up: 101 + DAY, boot: 'boot-1' });
    expect(secondsOf(spool)).toEqual([200, 300]);
  });

  it('does not grow when the wall clock is set: a machine without a battery begins in 1970', async () => {
    await enforceBounds(spool, { ts: 1_795_000_000, up: 360, boot: 'boot-1' });
    expect(secondsOf(spool)).toEqual([100, 200, 300]);
  });

  it('grows on when the wall clock is set back', async () => {
    await enforceBounds(spool, { ts: 0, up: 250 + DAY, boot: 'boot-1' });
    expect(secondsOf(spool)).toEqual([300]);
  });

  it('of an earlier boot is told by the wall clock, the only one both have', async () => {
    await enforceBounds(spool, { ts: 1250 + DAY, up: 5, boot: 'boot-2' });
    expect(secondsOf(spool)).toEqual([300]);
  });

  it('is told to the server when it was too great', async () => {
    const [stream = ''] = spool.entries.map((entry) => entry.stream);
    await enforceBounds(spool, { ts: 0, up: 1000 + DAY, boot: 'boot-1' });
    expect(spool.entries).toEqual([]);
    expect(spool.dropped.of(stream)).toEqual([{ from: 1, to: 3, n: 3, why: 'spool_full' }]);
  });
});

describe('the size of a spool', () => {
  const moment = { ts: 0, up: 0, boot: 'boot-1' };

  it('is left alone while it is within its bounds', async () => {
    const spool = newSpool();
    for (let up = 1; up < 30; up += 1) await spool.append(fullReport(up, up), 'boot-1');
    await enforceBounds(spool, moment, spool.diskBytes);
    expect(spool.entries.every(({ level }) => level === LEVEL.whole)).toBe(true);
    expect(spool.dropped.streams()).toEqual([]);
  });

  it('shrinks by the long lists first, then by all but events, then by the oldest', async () => {
    const spool = newSpool();
    for (let up = 1; up <= 40; up += 1) await spool.append(fullReport(up, up), 'boot-1');
    const levels = new Set<number>();
    for (let most = spool.diskBytes; most > 0; most -= 12_000) {
      await enforceBounds(spool, moment, most);
      const now = spool.entries.map(({ level }) => level);
      for (const level of now) levels.add(level);
      const lists = await spool.load(spool.entries.filter(({ level }) => level === LEVEL.thinned).slice(0, 1));
      for (const { report } of lists) expect([report.processes, report.load]).toEqual([undefined, expect.anything()]);
      const bare = await spool.load(spool.entries.filter(({ level }) => level === LEVEL.eventsOnly).slice(0, 1));
      for (const { report } of bare) expect([report.load, report.events?.length]).toEqual([undefined, 1]);
    }
    expect([...levels].toSorted((a, b) => a - b)).toEqual([LEVEL.whole, LEVEL.thinned, LEVEL.eventsOnly]);
  });

  it('never ends above its bound by more than the segment that is being written, and forgets no number', async () => {
    const report = fc.constantFrom<(at: number) => Unnumbered>(
      (at) => fullReport(at, at),
      (at) => smallReport(at, at),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(report, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: 60_000 }),
        async (reports, most) => {
          const spool = newSpool();
          for (const [index, make] of reports.entries()) await spool.append(make(index + 1), 'boot-1');
          const newest = spool.entries.at(-1);
          const all = numbersOf(spool);
          await enforceBounds(spool, moment, most);
          const last = spool.segments.at(-1)?.bytes ?? 0;
          expect(spool.diskBytes <= Math.max(most, last)).toBe(true);
          expect(numbersOf(spool)).toBeGreaterThanOrEqual(all);
          expect(spool.entries.at(-1)?.ts).toBe(newest?.ts);
          expect(await spool.load(spool.entries)).toHaveLength(spool.entries.length);
        },
      ),
      { numRuns: 8 },
    );
  });
});
