import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { smallReport } from '../testing/reports.ts';
import { SpoolModel, type Step } from '../testing/spool-model.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const plain = (what: 'append' | 'renew' | 'restart' | 'clear') => fc.constant<Step>({ do: what });
const step = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Step> }[]>(
  { weight: 12, arbitrary: plain('append') },
  { weight: 3, arbitrary: plain('restart') },
  { weight: 1, arbitrary: plain('renew') },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const), share, scattered: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), share }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cut' as const), bytes: fc.integer({ min: 1, max: 300 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('damage' as const), share }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('disk' as const), full: fc.boolean() }) },
);

it('loses nothing but what it says, keeps the order, and gives a number to one report only', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const model = new SpoolModel();
      for (const one of steps) await model.run(one);
      expect(model.faults).toEqual([]);
      const loaded = await model.spool.load(model.spool.entries);
      expect(loaded.map(({ report }) => report.ts)).toEqual(loaded.map(({ entry }) => entry.ts));
      for (const { report } of loaded) expect(report).toMatchObject(smallReport(report.ts, report.ts));
    }),
    { numRuns: 40 },
  );
});
