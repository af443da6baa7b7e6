import { maintenanceRequest, type MaintenanceOnWire } from '@plimsoll/contract/wire/checks/maintenance';
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
  server_ids: ['00000000-0000-4000-8000-000000000001'],
  check_ids: ['00000000-0000-4000-8000-000000000002'],
  cluster_ids: ['00000000-0000-4000-8000-000000000003'],
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

test.each([
  ['5 min', true],
  ['299 s', false],
  ['7 d', true],
  ['169 h', false],
  ['', false],
  ['0', false],
])('a maintenance that lasts %s can be sent: %s', (lasts, isRight) => {
  const draft = { ...maintenanceDraftOf(STORED), lasts };
  expect(Object.keys(maintenanceProblems(draft))).toEqual(isRight ? [] : ['lasts']);
  expect(maintenanceRequest.safeParse(maintenanceRequestOf(draft)).success).toBe(isRight);
});

test.each(['00:00', '23:59', '09:05'])('%s is a time of day', (time) => {
  expect(maintenanceProblems({ ...maintenanceDraftOf(STORED), time })).toEqual({});
});

test.each(['24:00', '9:05', '12:60', '', '02:30:00'])('%j is no time of day', (time) => {
  expect(maintenanceProblems({ ...maintenanceDraftOf(STORED), time })).toHaveProperty('time');
});

test('is sent with its days in the order of the week, and without an end that nobody chose', () => {
  const draft = { ...maintenanceDraftOf(STORED), name: ' Patch night ', weekdays: [7, 2, 5], lastDay: '' };
  expect(maintenanceRequestOf(draft)).toMatchObject({
    name: 'Patch night',
    schedule: { kind: 'weekly', weekdays: [2, 5, 7] },
    last_day: null,
  });
});

test('a place is enough, of whichever kind', () => {
  const nowhere = { ...maintenanceDraftOf(STORED), serverIds: [], checkIds: [], clusterIds: [] };
  expect(Object.keys(maintenanceProblems(nowhere))).toEqual(['serverIds']);
  for (const place of ['serverIds', 'checkIds', 'clusterIds'])
    expect(maintenanceProblems({ ...nowhere, [place]: ['x'] })).toEqual({});
});

test('an error of the API stands beside the field that it is about', () => {
  const fields = ['name', 'schedule.weekdays', 'schedule.day', 'schedule.time', 'schedule.expression', 'zone'];
  expect(fields.map(maintenanceField)).toEqual(['name', 'weekdays', 'day', 'time', 'expression', 'zone']);
  expect(['last_day', 'server_ids', 'check_ids', 'cluster_ids'].map(maintenanceField)).toEqual([
    'lastDay',
    'serverIds',
    'checkIds',
    'clusterIds',
  ]);
  expect(maintenanceField(null)).toBeNull();
});
