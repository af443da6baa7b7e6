import { z } from 'zod';
import { MAINTENANCE_LIMITS as L, MAINTENANCE_STATUSES } from '../../rules/checks/maintenance-limits.ts';
import { creator } from '../creator.ts';
import { serverId } from '../query.ts';
import { typedName } from '../typed-name.ts';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 02:30');
/** The times are those of a wall clock in `zone`. */
const schedule = z.discriminatedUnion('kind', [
  /** 1 is Monday, 7 is Sunday. */
  z.strictObject({ kind: z.literal('weekly'), weekdays: z.array(z.int().min(1).max(7)).min(1).max(7), time: clock }),
  /** A month without the day has no period; "last" is the last day of each month. */
  z.strictObject({
    kind: z.literal('monthly'),
    day: z.union([z.int().min(1).max(31), z.literal('last')]),
    time: clock,
  }),
  /** Five fields of crontab(5). */
  z.strictObject({ kind: z.literal('cron'), expression: z.string().trim().max(100) }),
]);
const day = z.iso.date('must be a day such as 2027-12-31');

/** POST /api/maintenance, PUT /api/maintenance/{id}. */
export const maintenanceRequest = z
  .strictObject({
    name: typedName(L.nameCharacters),
    schedule,
    zone: z.string().max(64),
    duration_seconds: z.int().min(L.durationSeconds.min).max(L.durationSeconds.max),
    /** The last day of the zone on which it starts. Null: it has no end. */
    last_day: day.nullable().default(null),
    server_ids: z.array(serverId).max(L.subjects).default([]),
    check_ids: z.array(z.uuid('must be the id of a check (a UUID)').toLowerCase()).max(L.subjects).default([]),
    cluster_ids: z.array(z.string().min(1).max(128)).max(L.subjects).default([]),
  })
  .superRefine(({ server_ids: servers, check_ids: checks, cluster_ids: clusters }, context) => {
    if (servers.length + checks.length + clusters.length === 0)
      context.addIssue({ code: 'custom', path: ['server_ids'], message: 'or check_ids or cluster_ids must name one' });
  });

const time = z.iso.datetime();
const maintenance = z.object({
  maintenance_id: z.uuid(),
  name: z.string(),
  schedule,
  zone: z.string(),
  duration_seconds: z.int(),
  last_day: z.string().nullable(),
  server_ids: z.array(z.uuid()),
  check_ids: z.array(z.uuid()),
  cluster_ids: z.array(z.string()),
  /** The schedule in words: "Sundays at 02:00 Europe/Berlin, for 2 h". */
  text: z.string(),
  status: z.enum(MAINTENANCE_STATUSES),
  /** The running period and the next ones, at most three. */
  periods: z.array(z.object({ starts_at: time, ends_at: time })),
  created_by: creator,
  created_at: time,
  updated_at: time,
});
/** GET /api/maintenance: the one that starts next first. */
export const maintenancesAnswer = z.object({ maintenance: z.array(maintenance), total: z.int() });
export const maintenanceAnswer = z.object({ maintenance });

export type MaintenanceRequest = z.output<typeof maintenanceRequest>;
export type MaintenanceRequestInput = z.input<typeof maintenanceRequest>;
export type MaintenanceOnWire = z.infer<typeof maintenance>;
export type MaintenancesAnswer = z.infer<typeof maintenancesAnswer>;
