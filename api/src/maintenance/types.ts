import type { OrganisationId, PersonId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds. */

/** `time`: "02:30" on the wall clock of the zone. `weekdays`: 1 is Monday, 7 is Sunday. */
export type MaintenanceSchedule =
  | { kind: 'weekly'; weekdays: readonly number[]; time: string }
  | { kind: 'monthly'; day: number | 'last'; time: string }
  | { kind: 'cron'; expression: string };

/** When a maintenance is. */
export interface Recurrence {
  schedule: MaintenanceSchedule;
  zone: string;
  durationSeconds: number;
  /** The last day of the zone on which it starts, as "2027-12-31"; null: it has no end. */
  lastDay: string | null;
}

export interface MaintenanceDraft extends Recurrence {
  name: string;
  serverIds: readonly string[];
  checkIds: readonly string[];
  clusterIds: readonly string[];
}
export interface Maintenance extends MaintenanceDraft {
  id: string;
  organisationId: OrganisationId;
  createdAt: number;
  updatedAt: number;
  createdBy: PersonId | null;
}

/** The end does not belong to it. */
export interface Period {
  startsAt: number;
  endsAt: number;
}
