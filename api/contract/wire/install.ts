import { z } from 'zod';
import { creator } from './creator.ts';

/**
 * POST /api/agent/v1/enrol. Same machine and owner → same server_id, the old agent token is revoked. A machine is the
 * same if the known one is silent for three intervals, or if boot id and host name are equal. Otherwise it is a clone
 * with a server_id of its own. Without `boot_id` the machine id alone decides.
 */
export const enrolRequest = z.object({
  enrolment_token: z.string().min(1).max(256),
  /** SHA-256 (hex) over a fixed label and the machine-id: the id itself never leaves the host. */
  machine_hash: z.string().regex(/^[0-9a-f]{64}$/),
  hostname: z.string().min(1).max(253),
  /** As in a report: changes at every boot. Absent: the collector is older than this field, or the system has none. */
  boot_id: z.string().min(1).max(64).optional(),
  /** Set after a stream conflict (a cloned machine): a new server_id is given instead of the known one. */
  cloned: z.boolean().optional(),
  tags: z.record(z.string().max(64), z.string().max(256)).optional(),
});
export const enrolAnswer = z.object({
  server_id: z.uuid(),
  agent_token: z.string(),
  interval: z.number().positive(),
  /** Names of other servers with the machine id of this one. Absent: there are none. */
  shares_machine_id_with: z.array(z.string()).optional(),
});

/**
 * POST /api/agent/v1/change-owner, with the agent's own token: the server and its history pass to the account whose
 * permanent token this is.
 */
export const changeOwnerRequest = z.object({ api_token: z.string().min(1).max(256) });
export const changeOwnerAnswer = z.object({ server_id: z.uuid(), owner: z.string() });

/** Platforms that the install script fetches a kit for, besides musl. */
export const KIT_TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const;
export type KitTarget = (typeof KIT_TARGETS)[number];

/** POST /api/user/enrolment-tokens: one per visit of the Setup page. */
export const enrolmentTokenAnswer = z.object({
  id: z.uuid(),
  token: z.string(),
  expires_at: z.iso.datetime(),
  /** Origin other machines reach this dashboard at, as its operator set it; null: the browser's own origin. */
  public_url: z.string().nullable(),
  /** IPv4 addresses of the machine of the dashboard, for the line that restarts it with a public address. */
  lan_addresses: z.array(z.string()),
  /** Platforms with a kit; for others the install script gets a 404 until `npm run build:agent` has built it. */
  kits: z.array(z.enum(KIT_TARGETS)),
  /** Registry of the Helm command's images; null: the operator has not set it. */
  image_registry: z.string().nullable(),
  /** Null: the tag of the chart. */
  image_tag: z.string().nullable(),
});

/** GET /api/user/enrolment-tokens: those that still work; DELETE /api/user/enrolment-tokens/{id} revokes. */
export const enrolmentTokenEntry = z.object({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  /** Servers that enrolled with it. */
  servers: z.int(),
  created_by: creator,
});
export const enrolmentTokensAnswer = z.object({ tokens: z.array(enrolmentTokenEntry), total: z.int() });

export type EnrolRequest = z.infer<typeof enrolRequest>;
export type EnrolAnswer = z.infer<typeof enrolAnswer>;
export type ChangeOwnerRequest = z.infer<typeof changeOwnerRequest>;
export type ChangeOwnerAnswer = z.infer<typeof changeOwnerAnswer>;
export type EnrolmentTokenAnswer = z.infer<typeof enrolmentTokenAnswer>;
export type EnrolmentTokensAnswer = z.infer<typeof enrolmentTokensAnswer>;
