import type { MaintenanceOnWire } from '@plimsoll/contract/wire/checks/maintenance';
import { expect, test } from 'vitest';
import {
  maintenanceDraftOf,
  maintenanceField,
  maintenanceProblems,
  maintenanceRequestOf,
  newMaintenance,
} from './maintenance-draft.ts';

const STORED: MaintenanceOnWire = {
  maintenance_id: '00000000-0000-4000-8000-0000000000aa',
  name: 'Patch night',
  schedule: { kind: 'weekly', weekdays: [2, 7], time: '02:30' },
  zone: 'Europe/Berlin',
  duration_seconds: 5400,
  last_day: '2027-12-31',
  server_ids: ['s'],
  check_ids: ['c'],
  cluster_ids: ['k'],
  text: '',
  status: 'planned',
  periods: [],
  created_by: null,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};
const SCHEDULES: MaintenanceOnWire['schedule'][] = [
  STORED.schedule,
  { kind: 'monthly', day: 31, time: '00:00' },
  { kind: 'monthly', day: 'last', time: '23:59' },
  { kind: 'cron', expression: '0 20 * * 2#2' },
];

test.each(SCHEDULES)('%o: a stored maintenance that is saved without a change stays as it is', (schedule) => {
  const draft = maintenanceDraftOf({ ...STORED, schedule });
  expect(maintenanceProblems(draft)).toEqual({});
  const { name, zone, duration_seconds, last_day, server_ids, check_ids, cluster_ids } = STORED;
  const rest = { name, zone, duration_seconds, last_day, server_ids, check_ids, cluster_ids };
  expect(maintenanceRequestOf(draft)).toEqual({ schedule, ...rest });
});

test('each field that is wrong has its sentence', () => {
  const draft = { ...newMaintenance('UTC'), weekdays: [], time: '24:00', lasts: '8 d' };
  expect(Object.keys(maintenanceProblems(draft)).toSorted()).toEqual([
    'lasts',
    'name',
    'serverIds',
    'time',
    'weekdays',
  ]);
  expect(maintenanceProblems({ ...draft, kind: 'cron' })).toHaveProperty('expression');
  expect(maintenanceField('duration_seconds')).toBe('lasts');
  expect(maintenanceField('limit')).toBeNull();
});
