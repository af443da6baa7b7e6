import type { UnitPart } from '@plimsoll/contract/wire/report';
import { expect, test } from 'vitest';
import { byConcern } from './units-table.tsx';

const unit = (name: string, state: string, restarts: number | null = 0): UnitPart => ({
  name,
  state,
  sub_state: null,
  restarts,
});

test('failed units stand first, then those that run by how often they were restarted, then the rest', () => {
  const units = [
    unit('b.service', 'active'),
    unit('old.service', 'active', null),
    unit('a.service', 'inactive', 9),
    unit('worn.service', 'active', 4),
    unit('z.service', 'failed'),
    unit('y.service', 'failed', 2),
    unit('a-b.service', 'active'),
  ];
  expect(units.toSorted(byConcern).map(({ name }) => name)).toEqual([
    'y.service',
    'z.service',
    'worn.service',
    'a-b.service',
    'b.service',
    'old.service',
    'a.service',
  ]);
});
