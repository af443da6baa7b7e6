// SQL compares the objects of a report with their stored states, in the transaction of the report.
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import type { ChangeAction, FieldChange } from '@plimsoll/contract/rules/changes';
import type { PoolClient } from 'pg';
import { milliseconds, timestamp } from '../../database/time.ts';
import type { JudgedItem } from '../../kubernetes/refusals.ts';
import { changeTitle, compareStates } from '../compare-states.ts';
import { describeNode, NODE_KIND } from '../describe-node.ts';
import type { ChangeDraft } from '../types.ts';
import { insertChanges } from './insert-changes.ts';

interface Head {
  kind: string;
  namespace: string | null;
  name: string;
}
interface Known extends Head {
  uid: string;
  form: number;
  digestKey: string;
  /** Epoch milliseconds. */
  editedAt: number | null;
  fields: Record<string, string>;
  digests: Record<string, string>;
}
interface Described extends Known {
  by: string | null;
}

/** The end of a listing. `hasNodes`: it named every node. */
interface EndedListing {
  isWhole: boolean;
  hasNodes: boolean;
}

const KNOWN = `SELECT uid, kind, namespace, name, form, digest_key AS "digestKey", ${milliseconds('edited_at')} AS "editedAt",
    fields, digests
  FROM described_object WHERE cluster_key = $1 AND uid = ANY($2::text[])`;
const LISTED = 'SELECT described_kinds AS kinds FROM cluster WHERE key = $1';
const NAME_LISTING = 'UPDATE described_object SET listing = $3 WHERE cluster_key = $1 AND uid = ANY($2::text[])';
const SAVE = `INSERT INTO described_object (cluster_key, uid, kind, namespace, name, form, digest_key, edited_at, fields, digests,
    listing)
  SELECT DISTINCT ON (uid) $1, uid, kind, namespace, name, form, "digestKey", ${timestamp('"editedAt"')}, fields, digests, $3
  FROM jsonb_to_recordset($2::jsonb) AS x(uid text, kind text, namespace text, name text, form int, "digestKey" text,
    "editedAt" float8, fields jsonb, digests jsonb) ORDER BY uid
  ON CONFLICT (cluster_key, uid) DO UPDATE SET kind = excluded.kind, namespace = excluded.namespace, name = excluded.name,
    form = excluded.form, digest_key = excluded.digest_key, edited_at = excluded.edited_at, fields = excluded.fields,
    digests = excluded.digests, listing = COALESCE(excluded.listing, described_object.listing)`;
const DELETE =
  'DELETE FROM described_object WHERE cluster_key = $1 AND uid = ANY($2::text[]) RETURNING kind, namespace, name';
const DELETE_OTHERS = `DELETE FROM described_object WHERE cluster_key = $1 AND kind = ANY($2::text[])
  AND listing IS DISTINCT FROM $3 RETURNING kind, namespace, name`;
const SET_LISTED = `UPDATE cluster SET described_kinds = ARRAY(SELECT DISTINCT unnest(described_kinds || $2::text[]))
  WHERE key = $1 AND NOT described_kinds @> $2::text[]`;

/** Slices come and go with the pods of their Service: only the number of ready addresses is a change. */
const WITHOUT_LIFE = new Set(['EndpointSlice']);

function objectsOf({ objects = [], nodes = [] }: ClusterItem): Described[] {
  return [
    ...objects.map(({ digest_key, edited_at, ...object }) => ({
      ...object,
      digestKey: digest_key,
      editedAt: edited_at === null ? null : edited_at * 1000,
    })),
    ...nodes.map((node) => ({
      uid: node.uid,
      kind: NODE_KIND,
      namespace: null,
      name: node.name,
      by: null,
      editedAt: null,
      digestKey: '',
      digests: {},
      ...describeNode(node),
    })),
  ];
}

/**
 * Compares the objects of one item with their stored states, stores the new states and the entries of the ledger. The
 * caller holds the lock of the cluster. An object that is new is a change only if a whole listing of its kind came before.
 */
async function writeDescribed(
  client: PoolClient,
  clusterKey: number,
  { item, refused }: JudgedItem,
  { now, ended }: { now: number; ended: EndedListing | null },
): Promise<void> {
  const objects = objectsOf(item);
  const deleted = [...(item.deleted?.objects ?? []), ...(item.deleted?.nodes ?? [])];
  const isComplete = ended?.isWhole === true && !refused.some(({ kind }) => kind === 'objects');
  const covered: string[] = isComplete
    ? [...(item.listing?.covers_objects ?? []), ...(ended.hasNodes ? [NODE_KIND] : [])]
    : [];
  if (objects.length === 0 && deleted.length === 0 && covered.length === 0) return;
  const listing = item.listing?.id ?? null;
  const { rows } = await client.query<{ kinds: string[] }>(LISTED, [clusterKey]);
  const listed = new Set(rows[0]?.kinds ?? []);
  const at = Math.min(item.ts * 1000, now);
  const draft = (head: Head, action: ChangeAction, more: Partial<ChangeDraft> = {}): ChangeDraft => ({
    at,
    source: 'cluster',
    action,
    clusterKey,
    serverKey: null,
    kind: head.kind,
    namespace: head.namespace,
    name: head.name,
    title: changeTitle(action, more.fields ?? []),
    fields: [],
    changedBy: null,
    ...more,
  });
  const drafts: ChangeDraft[] = [];
  if (objects.length > 0) {
    const known = await readKnown(client, clusterKey, objects);
    const news = objects.flatMap((object) => newsOf(object, known.get(object.uid), listed));
    for (const { object, action, fields } of news)
      drafts.push(
        draft(object, action, { fields, changedBy: object.by, at: editTime(object, known.get(object.uid), at) }),
      );
    await saveStates(client, clusterKey, { objects, known, listing });
  }
  const gone = [
    ...(deleted.length > 0 ? (await client.query<Head>(DELETE, [clusterKey, deleted])).rows : []),
    ...(covered.length > 0 ? (await client.query<Head>(DELETE_OTHERS, [clusterKey, covered, listing])).rows : []),
  ];
  for (const head of gone) if (listed.has(head.kind) && !WITHOUT_LIFE.has(head.kind)) drafts.push(draft(head, 'gone'));
  if (covered.length > 0) await client.query(SET_LISTED, [clusterKey, covered]);
  await insertChanges(client, drafts, now);
}

async function readKnown(
  client: PoolClient,
  clusterKey: number,
  objects: readonly Described[],
): Promise<Map<string, Known>> {
  const { rows } = await client.query<Known>(KNOWN, [clusterKey, objects.map(({ uid }) => uid)]);
  return new Map(rows.map((row) => [row.uid, row]));
}

interface News {
  object: Described;
  action: ChangeAction;
  fields: FieldChange[];
}
function newsOf(object: Described, before: Known | undefined, listed: ReadonlySet<string>): News[] {
  if (before === undefined) {
    const isNew = listed.has(object.kind) && !WITHOUT_LIFE.has(object.kind);
    return isNew ? [{ object, action: 'added', fields: [] }] : [];
  }
  const fields = compareStates(before, object);
  return fields.length > 0 ? [{ object, action: 'changed', fields }] : [];
}

/** The time that the API server recorded, if it is that of this edit. */
function editTime({ editedAt }: Described, before: Known | undefined, at: number): number {
  if (editedAt === null || editedAt > at) return at;
  return editedAt > (before?.editedAt ?? 0) ? editedAt : at;
}

const isSame = (before: Known | undefined, object: Described): boolean =>
  before !== undefined &&
  before.form === object.form &&
  before.digestKey === object.digestKey &&
  compareStates(before, object).length === 0;

/** Writes what differs. A state that is the same only notes its listing. */
async function saveStates(
  client: PoolClient,
  clusterKey: number,
  {
    objects,
    known,
    listing,
  }: { objects: readonly Described[]; known: ReadonlyMap<string, Known>; listing: string | null },
): Promise<void> {
  const changed = objects.filter((object) => !isSame(known.get(object.uid), object));
  if (changed.length > 0) await client.query(SAVE, [clusterKey, JSON.stringify(changed), listing]);
  if (listing !== null) await client.query(NAME_LISTING, [clusterKey, objects.map(({ uid }) => uid), listing]);
}

export const describedObjects = { write: writeDescribed };
