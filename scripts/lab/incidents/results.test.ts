import * as fc from 'fast-check';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isDone, keep, planRuns, readResults } from './results.ts';
import { exampleRun } from './testing.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-incidents-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a kept run is done and is read back, and no other one is', () => {
  const run = exampleRun();
  keep(folder, run);
  expect(isDone(folder, run.incident, 1)).toBe(true);
  expect(isDone(folder, run.incident, 2)).toBe(false);
  expect(readResults(folder)).toEqual([run]);
  expect(readdirSync(folder)).toEqual(['image-missing.1.json']);
});

test('a part that a killed lab left counts for nothing', () => {
  writeFileSync(join(folder, 'image-missing.1.json.part'), '{');
  expect(isDone(folder, 'image-missing', 1)).toBe(false);
  expect(readResults(folder)).toEqual([]);
});

test('all run once before any runs again, and only what repeats runs three times', () => {
  const incidents = [{ name: 'a' }, { name: 'b', isRepeated: true }];
  const all = planRuns(incidents, () => false).map(({ incident, round }) => `${incident.name}${String(round)}`);
  expect(all).toEqual(['a1', 'b1', 'b2', 'b3']);
});

test('finished runs are left out and none of the others', () => {
  const planned = fc.array(fc.record({ name: fc.uuid(), isRepeated: fc.boolean() }), { maxLength: 8 });
  fc.assert(
    fc.property(planned, fc.func(fc.boolean()), (incidents, isFinished) => {
      const key = ({ incident, round }: ReturnType<typeof planRuns>[number]) => `${incident.name} ${String(round)}`;
      const all = planRuns(incidents, () => false);
      const left = planRuns(incidents, isFinished).map(key);
      expect(left).toEqual(all.filter(({ incident, round }) => !isFinished(incident.name, round)).map(key));
    }),
  );
});
