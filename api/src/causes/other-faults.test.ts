import { describe, expect, it } from 'vitest';
import { complaintsOf } from './testing/complaints-of.ts';
import { besideCalls } from './testing/other-faults/host-calls.ts';
import { besideDeployMarks } from './testing/other-faults/host-deployed.ts';
import { ofMachines } from './testing/other-faults/host-machines.ts';
import { besideNearChanges as ofMachinesNear } from './testing/other-faults/host-near.ts';
import { besideNewcomers } from './testing/other-faults/host-newcomers.ts';
import { acrossObjects } from './testing/other-faults/shop-across.ts';
import { besideWorkloads } from './testing/other-faults/shop-beside.ts';
import { capacity } from './testing/other-faults/shop-capacity.ts';
import { dependencies } from './testing/other-faults/shop-dependencies.ts';
import { besideMarks } from './testing/other-faults/shop-marks.ts';
import { besideNearChanges } from './testing/other-faults/shop-near.ts';
import { healthy, rollouts } from './testing/other-faults/shop-rollouts.ts';

describe('faults of machines of other kinds', () => {
  it.each([...ofMachines, ...ofMachinesNear, ...besideNewcomers, ...besideDeployMarks, ...besideCalls])(
    'judges $id',
    (one) => {
      expect(complaintsOf(one)).toEqual([]);
    },
  );
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
    ...besideWorkloads,
  ])('judges $id', (one) => {
    expect(complaintsOf(one)).toEqual([]);
  });
});
