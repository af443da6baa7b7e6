import { z } from 'zod';
import {
  INCIDENT_IMPACTS,
  INCIDENT_STATES,
  PUBLIC_DAY_STATES,
  PUBLIC_PAGE_STATES,
  PUBLIC_PART_STATES,
} from '../../rules/checks/status-page-limits.ts';

/** A mistyped address is answered like an unknown one. */
export const statusPageSlug = z.string().max(64);

const figure = z.strictObject({ value: z.int().nullable(), line: z.number() });

/** A day on which it was down, or not known for an hour or longer. */
const day = z.strictObject({
  date: z.iso.date(),
  /** Null: never down, and known for most of the day. */
  state: z.enum(PUBLIC_DAY_STATES).nullable(),
  down_seconds: z.int(),
  unknown_seconds: z.int(),
});

/** Strict, as all of these: a field that is not listed here must not leave. */
const part = z.strictObject({
  name: z.string(),
  /** Heading that it stands under; null: none. */
  group: z.string().nullable(),
  state: z.enum(PUBLIC_PART_STATES),
  /** Time of the last report of its servers; null: they sent none, or it has only checks. */
  reported_at: z.iso.datetime().nullable(),
  /** Null: the page shows no figures, the part is more than one server, or its server does not report. */
  figures: z.strictObject({ cpu: figure, memory: figure, disk: figure }).nullable(),
  /** First of the 90 days with data; null: none has. */
  since: z.iso.date().nullable(),
  /** Share of the known time since then, in per cent; null: nothing is known. */
  availability: z.number().nullable(),
  /** Not counted as good, nor as down. */
  unknown_seconds: z.int(),
  /** On days since `since` that are not listed it was never down. */
  days: z.array(day),
});

const incident = z.strictObject({
  id: z.uuid(),
  title: z.string(),
  impact: z.enum(INCIDENT_IMPACTS),
  state: z.enum(INCIDENT_STATES),
  /** Names of the affected parts. */
  affects: z.array(z.string()),
  started_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
  next_update_at: z.iso.datetime().nullable(),
  /** Newest first. */
  updates: z.array(z.strictObject({ at: z.iso.datetime(), state: z.enum(INCIDENT_STATES), text: z.string() })),
});

export const publicStatusPage = z.strictObject({
  title: z.string(),
  message: z.string(),
  state: z.enum(PUBLIC_PAGE_STATES),
  /** In the order of the page. */
  parts: z.array(part),
  /** Open ones first, then newest first. */
  incidents: z.array(incident),
  /** Planned and running work, earliest first. */
  maintenance: z.array(
    z.strictObject({ affects: z.array(z.string()), starts_at: z.iso.datetime(), ends_at: z.iso.datetime() }),
  ),
  /** Time of these states. */
  as_of: z.iso.datetime(),
});
/** GET /api/public/status-pages/{slug}. */
export const publicStatusPageAnswer = z.strictObject({ status_page: publicStatusPage });

export type PublicStatusPage = z.infer<typeof publicStatusPage>;
export type PublicPart = PublicStatusPage['parts'][number];
export type PublicDay = PublicPart['days'][number];
export type PublicIncident = PublicStatusPage['incidents'][number];
