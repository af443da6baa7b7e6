import { describe, expect, it } from 'vitest';
import { explain } from './explain.ts';
import { OTHER_CLUSTER_FAULTS } from './testing/other-cluster-faults.ts';
import { OTHER_HOST_FAULTS, type OtherFault } from './testing/other-host-faults.ts';

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
  it.each(OTHER_HOST_FAULTS)('judges $id', judge);
});

describe('faults of clusters of other kinds', () => {
  it.each(OTHER_CLUSTER_FAULTS)('judges $id', judge);
});
