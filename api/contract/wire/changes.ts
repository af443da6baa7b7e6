import { z } from 'zod';
import { CHANGE_ACTIONS, CHANGE_LIMITS as L, CHANGE_SOURCES } from '../rules/changes.ts';
import { moment } from './kubernetes-parts.ts';
import { moment as givenMoment, serverId } from './query.ts';
import { typedName } from './typed-name.ts';

/** One entry of the ledger. Its texts come from machines and clusters: show them as text only. */
export const change = z.object({
  id: z.string(),
  at: moment,
  source: z.enum(CHANGE_SOURCES),
  action: z.enum(CHANGE_ACTIONS),
  /** Deployment, Service, Node …; packages, units, mounts … of a host; rule, silence …; deploy. */
  kind: z.string(),
  namespace: z.string().nullable(),
  /** The object, the host, or what was deployed. */
  name: z.string(),
  title: z.string(),
  /** A program such as "helm" or "kubectl-edit", or a person; null: not known. */
  by: z.string().nullable(),
  /** https or http; only of deploy marks. */
  link: z.string().nullable(),
  cluster_id: z.string().nullable(),
  cluster_name: z.string().nullable(),
  server_id: z.uuid().nullable(),
  hostname: z.string().nullable(),
  fields: z.array(
    z.object({
      field: z.string(),
      was: z.enum(['set', 'changed', 'removed']),
      /** Null: there was no value, or it is hidden. */
      before: z.string().nullable(),
      after: z.string().nullable(),
      /** The value is a secret, or too long to be stored: only that it changed is known. */
      hidden: z.boolean(),
    }),
  ),
});
/** GET /api/changes, newest first. */
export const changesAnswer = z.object({
  changes: z.array(change),
  /** Counted up to 1,000; `is_more`: there are more. */
  total: z.int(),
  is_more: z.boolean(),
});
/** GET /api/changes/before: what changed before a moment, the likeliest to explain it first. */
export const changesBeforeAnswer = z.object({
  changes: z.array(change.extend({ why: z.string() })),
  from: moment,
  to: moment,
});

/** GET /api/changes/states: the present states of objects, as the ledger compares them. Texts of strangers. */
export const describedStatesAnswer = z.object({
  objects: z.array(
    z.object({
      kind: z.string(),
      namespace: z.string().nullable(),
      name: z.string(),
      fields: z.record(z.string(), z.string()),
      /** Names of fields whose values stay in the cluster. */
      hidden: z.array(z.string()),
    }),
  ),
});

const link = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with https:// or http://' })
  .max(L.textCharacters);
/** POST /api/changes with a token of the scope `changes`. */
export const deployMark = z.strictObject({
  /** The thing that was deployed: "checkout 1.9.2". */
  title: typedName(L.nameCharacters),
  /** The same key twice is one mark, so a pipeline may send it again. */
  key: typedName(L.keyCharacters).optional(),
  /** Epoch seconds or ISO 8601; left out: now. */
  at: givenMoment.optional(),
  by: typedName(L.nameCharacters).optional(),
  link: link.optional(),
  /** Versions before and after. */
  before: typedName(L.nameCharacters).optional(),
  after: typedName(L.nameCharacters).optional(),
  /** The place: a server, or a cluster with the object in it. Left out: the whole organisation. */
  server_id: serverId.optional(),
  cluster_id: typedName(128).optional(),
  namespace: typedName(253).optional(),
  kind: typedName(253).optional(),
  name: typedName(253).optional(),
});
export const deployMarkAnswer = z.object({
  id: z.string(),
  /** False: a mark with this key was there already. */
  created: z.boolean(),
});

export type Change = z.infer<typeof change>;
export type ChangesAnswer = z.infer<typeof changesAnswer>;
export type ChangesBeforeAnswer = z.infer<typeof changesBeforeAnswer>;
export type DeployMark = z.infer<typeof deployMark>;
