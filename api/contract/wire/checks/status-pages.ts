import { z } from 'zod';
import { creator } from '../creator.ts';
import { STATUS_PAGE_LIMITS } from '../../rules/checks/status-page-limits.ts';
import { bodyMoment } from '../alerts/alert-silences.ts';
import { typedName } from '../typed-name.ts';

const { servers, checks, titleCharacters, messageCharacters, labelCharacters, groupCharacters } = STATUS_PAGE_LIMITS;

const named = {
  /** Shown in place of the name of the server. A check without one is "Check 1", "Check 2" … */
  label: typedName(labelCharacters).nullable().default(null),
  /** Heading that it stands under. Servers and checks of one group with one label are one part of the page. */
  group: typedName(groupCharacters).nullable().default(null),
};

/** POST /api/status-pages, PUT /api/status-pages/{id}. */
export const statusPageRequest = z
  .strictObject({
    title: typedName(titleCharacters),
    /** Plain text below the title. */
    message: z.string().trim().max(messageCharacters).default(''),
    /** In the order of the page. */
    servers: z
      .array(
        z.strictObject({
          server_id: z.uuid('must be a server id (a UUID)').toLowerCase(),
          ...named,
        }),
      )
      .max(servers)
      .refine((list) => new Set(list.map(({ server_id: id }) => id)).size === list.length, 'must name each server once')
      .default([]),
    /** In the order of the page, below the servers. */
    checks: z
      .array(z.strictObject({ check_id: z.uuid('must be a check id (a UUID)').toLowerCase(), ...named }))
      .max(checks)
      .refine((list) => new Set(list.map(({ check_id: id }) => id)).size === list.length, 'must name each check once')
      .default([]),
    /** Default: a server without a label is "Server 1", "Server 2" … */
    shows_names: z.boolean().default(false),
    /** CPU, memory and disk in per cent, with their lines. */
    shows_figures: z.boolean().default(false),
    /** Announces silences of whole servers that were made before they begin. */
    shows_maintenance: z.boolean().default(false),
    /** Default: search engines are asked not to list the page. */
    is_indexable: z.boolean().default(false),
    is_published: z.boolean().default(true),
    /** Null: it does not expire. */
    expires_at: bodyMoment.nullable().default(null),
  })
  .superRefine((page, context) => {
    if (page.servers.length + page.checks.length === 0)
      context.addIssue({
        code: 'custom',
        path: ['servers'],
        message: 'must name at least one server, unless checks names a check',
      });
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
      group: z.string().nullable(),
    }),
  ),
  checks: z.array(
    z.object({
      check_id: z.uuid(),
      /** Name in the dashboard; a stranger never reads it. */
      name: z.string(),
      label: z.string().nullable(),
      group: z.string().nullable(),
    }),
  ),
  shows_names: z.boolean(),
  shows_figures: z.boolean(),
  shows_maintenance: z.boolean(),
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

export type StatusPageOnWire = z.infer<typeof statusPage>;
export type StatusPagesAnswer = z.infer<typeof statusPagesAnswer>;
export type StatusPageRequest = z.output<typeof statusPageRequest>;
