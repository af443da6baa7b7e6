import { describe, expect, it } from 'vitest';
import { explain } from './explain.ts';
import { ofMachines } from './testing/other-faults/host-machines.ts';
import { besideNearChanges as ofMachinesNear } from './testing/other-faults/host-near.ts';
import { besideNewcomers } from './testing/other-faults/host-newcomers.ts';
import type { OtherFault } from './testing/other-faults/host-told.ts';
import { acrossObjects } from './testing/other-faults/shop-across.ts';
import { capacity } from './testing/other-faults/shop-capacity.ts';
import { dependencies } from './testing/other-faults/shop-dependencies.ts';
import { besideMarks } from './testing/other-faults/shop-marks.ts';
import { besideNearChanges } from './testing/other-faults/shop-near.ts';
import { healthy, rollouts } from './testing/other-faults/shop-rollouts.ts';

/** "unit nginx.service", "Node node-1", "change files-7". */
const namesOf = ({ causes }: ReturnType<typeof explain>): string[][] =>
  causes.map(({ entities, change_id: id }) => [
    ...entities.map(({ kind, object_kind: object, name }) => `${object ?? kind} ${name}`),
    ...(id === null ? [] : [`change ${id}`]),
  ]);

function judge({ right, never = [], untrue, isHard = false, evidence }: OtherFault): void {
  const answer = explain(evidence);
  const names = namesOf(answer);
  const [first = []] = names;
  expect(names.flat().filter((name) => never.some((one) => one.test(name)))).toEqual([]);
  if (isHard && first.length === 0) return;
  const missing = right.filter((one) => !first.some((name) => one.test(name)));
  expect([missing, right.length === 0 ? names : first]).toEqual([[], right.length === 0 ? [] : first]);
  expect(untrue?.test(answer.causes[0]?.finding ?? '') ?? false).toBe(false);
}

describe('faults of machines of other kinds', () => {
  it.each([...ofMachines, ...ofMachinesNear, ...besideNewcomers])('judges $id', judge);
});

describe('faults of clusters of other kinds', () => {
  it.each([
    ...dependencies,
    ...capacity,
    ...rollouts,
    ...healthy,
    ...besideNearChanges,
    ...acrossObjects,
    ...besideMarks,
  ])('judges $id', judge);
});
