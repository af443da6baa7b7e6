import { MAINTENANCE_LIMITS as L } from '@plimsoll/contract/rules/checks/maintenance-limits';
import type { MaintenanceOnWire, MaintenanceRequestInput } from '@plimsoll/contract/wire/checks/maintenance';
import { durationText, readDuration } from '../../../format/duration-text.ts';

/** The content of the form; the duration as it is typed. */
export interface MaintenanceDraft {
  name: string;
  kind: 'weekly' | 'monthly' | 'cron';
  /** 1 is Monday. */
  weekdays: readonly number[];
  /** "1" to "31", or "last". */
  day: string;
  time: string;
  expression: string;
  zone: string;
  lasts: string;
  /** "2027-12-31"; '' has no end. */
  lastDay: string;
  serverIds: readonly string[];
  checkIds: readonly string[];
  clusterIds: readonly string[];
}
export type MaintenanceProblems = Partial<Record<keyof MaintenanceDraft, string>>;

export const newMaintenance = (zone: string): MaintenanceDraft => ({
  name: '',
  kind: 'weekly',
  weekdays: [7],
  day: '1',
  time: '02:00',
  expression: '',
  zone,
  lasts: '2 h',
  lastDay: '',
  serverIds: [],
  checkIds: [],
  clusterIds: [],
});

export function maintenanceDraftOf(stored: MaintenanceOnWire): MaintenanceDraft {
  const { schedule } = stored;
  return {
    ...newMaintenance(stored.zone),
    name: stored.name,
    kind: schedule.kind,
    ...(schedule.kind === 'weekly' && { weekdays: schedule.weekdays }),
    ...(schedule.kind === 'monthly' && { day: String(schedule.day) }),
    ...(schedule.kind === 'cron' ? { expression: schedule.expression } : { time: schedule.time }),
    lasts: durationText(stored.duration_seconds),
    lastDay: stored.last_day ?? '',
    serverIds: stored.server_ids,
    checkIds: stored.check_ids,
    clusterIds: stored.cluster_ids,
  };
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns the problems by field; the API checks the rest. */
export function maintenanceProblems(draft: MaintenanceDraft): MaintenanceProblems {
  const { name, kind, weekdays, time, expression, lasts, serverIds, checkIds, clusterIds } = draft;
  const seconds = readDuration(lasts);
  const { min, max } = L.durationSeconds;
  return {
    ...(name.trim() === '' && { name: 'Give it a name.' }),
    ...(kind === 'weekly' && weekdays.length === 0 && { weekdays: 'Choose at least one day.' }),
    ...(kind !== 'cron' && !TIME.test(time) && { time: 'Write it as 02:30.' }),
    ...(kind === 'cron' && expression.trim() === '' && { expression: 'Write five fields, such as 0 2 * * 7.' }),
    ...((seconds === null || seconds < min || seconds > max) && { lasts: 'Must be 5 min – 7 d, such as 2 h.' }),
    ...(serverIds.length + checkIds.length + clusterIds.length === 0 && {
      serverIds: 'Choose a server, a check or a cluster.',
    }),
  };
}

/** Returns what is sent for a draft without problems. */
export function maintenanceRequestOf(draft: MaintenanceDraft): MaintenanceRequestInput {
  return {
    name: draft.name.trim(),
    schedule: scheduleOf(draft),
    zone: draft.zone,
    duration_seconds: readDuration(draft.lasts) ?? 0,
    last_day: draft.lastDay === '' ? null : draft.lastDay,
    server_ids: [...draft.serverIds],
    check_ids: [...draft.checkIds],
    cluster_ids: [...draft.clusterIds],
  };
}

function scheduleOf({ kind, weekdays, day, time, expression }: MaintenanceDraft): MaintenanceRequestInput['schedule'] {
  if (kind === 'weekly') return { kind, weekdays: weekdays.toSorted((a, b) => a - b), time };
  if (kind === 'monthly') return { kind, day: day === 'last' ? 'last' : Number(day), time };
  return { kind, expression: expression.trim() };
}

/** Fields of the form by the field that the API names. */
const FIELDS: Readonly<Record<string, keyof MaintenanceDraft>> = {
  name: 'name',
  'schedule.weekdays': 'weekdays',
  'schedule.day': 'day',
  'schedule.time': 'time',
  'schedule.expression': 'expression',
  zone: 'zone',
  duration_seconds: 'lasts',
  last_day: 'lastDay',
  server_ids: 'serverIds',
  check_ids: 'checkIds',
  cluster_ids: 'clusterIds',
};
export const maintenanceField = (field: string | null): keyof MaintenanceDraft | null => FIELDS[field ?? ''] ?? null;
