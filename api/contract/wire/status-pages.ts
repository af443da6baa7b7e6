import { z } from 'zod';
import { creator } from './creator.ts';
import { PUBLIC_PAGE_STATES, PUBLIC_SERVER_STATES, STATUS_PAGE_LIMITS } from '../rules/status-page-limits.ts';
import { bodyMoment } from './alert-silences.ts';
import { typedName } from './typed-name.ts';

const { servers, titleCharacters, messageCharacters, labelCharacters } = STATUS_PAGE_LIMITS;

/** POST /api/status-pages, PUT /api/status-pages/{id}. */
export const statusPageRequest = z.strictObject({
  title: typedName(titleCharacters),
  /** Plain text below the title. */
  message: z.string().trim().max(messageCharacters).default(''),
  /** In the order of the page. */
  servers: z
    .array(
      z.strictObject({
        server_id: z.uuid('must be a server id (a UUID)').toLowerCase(),
        /** Shown in place of the name of the server. */
        label: typedName(labelCharacters).nullable().default(null),
      }),
    )
    .min(1, 'must name at least one server')
    .max(servers)
    .refine((list) => new Set(list.map(({ server_id: id }) => id)).size === list.length, 'must name each server once'),
  /** Default: a server without a label is "Server 1", "Server 2" … */
  shows_names: z.boolean().default(false),
  /** CPU, memory and disk in per cent, with their lines. */
  shows_figures: z.boolean().default(false),
  /** Default: search engines are asked not to list the page. */
  is_indexable: z.boolean().default(false),
  is_published: z.boolean().default(true),
  /** Null: it does not expire. */
  expires_at: bodyMoment.nullable().default(null),
});

export const statusPage = z.object({
  page_id: z.uuid(),
  /** Address below the dashboard's own. */
  path: z.string(),
  title: z.string(),
  message: z.string(),
  servers: z.array(
    z.object({
      server_id: z.uuid(),
      /** Shown name in the dashboard. */
      hostname: z.string(),
      label: z.string().nullable(),
    }),
  ),
  shows_names: z.boolean(),
  shows_figures: z.boolean(),
  is_indexable: z.boolean(),
  is_published: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  /** `off`: not published. */
  status: z.enum(['public', 'off', 'expired']),
  created_by: creator,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
/** GET /api/status-pages: oldest first. */
export const statusPagesAnswer = z.object({ status_pages: z.array(statusPage), total: z.int() });
export const statusPageAnswer = z.object({ status_page: statusPage });

/** A mistyped address is answered like an unknown one. */
export const statusPageSlug = z.string().max(64);

const figure = z.strictObject({ value: z.int().nullable(), line: z.number() });
/** Strict: a field that is not listed here must not leave. */
export const publicStatusPage = z.strictObject({
  title: z.string(),
  message: z.string(),
  state: z.enum(PUBLIC_PAGE_STATES),
  servers: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(PUBLIC_SERVER_STATES),
      /** Time of its last report. */
      reported_at: z.iso.datetime().nullable(),
      /** Null: the page shows no figures, or the server does not report. */
      figures: z.strictObject({ cpu: figure, memory: figure, disk: figure }).nullable(),
    }),
  ),
  /** Time of these states. */
  as_of: z.iso.datetime(),
});
/** GET /api/public/status-pages/{slug}. */
export const publicStatusPageAnswer = z.strictObject({ status_page: publicStatusPage });

export type StatusPageOnWire = z.infer<typeof statusPage>;
export type StatusPagesAnswer = z.infer<typeof statusPagesAnswer>;
export type StatusPageRequest = z.output<typeof statusPageRequest>;
export type PublicStatusPage = z.infer<typeof publicStatusPage>;
export type PublicStatusPageAnswer = z.infer<typeof publicStatusPageAnswer>;
