import { createHash, randomUUID } from 'node:crypto';
import { CUSTOM_KINDS, type CustomKind, type RefusalReason } from '@plimsoll/contract/rules/custom-resources';
import { NOTIFY_LIMITS } from '@plimsoll/contract/rules/notify';
import type { ClusterObjects, ClusterObjectsAnswer, CustomObject } from '@plimsoll/contract/wire/custom-resources';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import { putInForce, type InForceDeps } from '../alerts/rules/put-in-force.ts';
import type { Config } from '../config.ts';
import { CodedError } from '../errors.ts';
import { collectorActor } from '../kubernetes/collector-actor.ts';
import type { ObjectCluster } from '../kubernetes/object-rows.ts';
import type { ClusterAgent } from '../kubernetes/types.ts';
import { refusePrivate } from '../notify/refuse-private.ts';
import { secretEndsOf } from '../notify/channel-input.ts';
import { openSecrets, sealSecrets } from '../notify/channel-secrets.ts';
import type { ChannelEntry, ObjectChannel } from '../notify/types.ts';
import type { Servers } from '../servers/store.ts';
import { nameList } from '../tenancy/name-list.ts';
import { ownerOf, type Owner } from '../tenancy/owner.ts';
import { applyObjects } from './apply-objects.ts';
import { organisationRefusal } from './authority.ts';
import { decidingWords } from './deciding-rules.ts';
import { placeRefusal, readObject } from './read-object.ts';
import {
  keyOf,
  type Applied,
  type ChannelDraft,
  type ObjectContext,
  type ObjectKey,
  type Reading,
  type Refusal,
  type WantedObjects,
} from './types.ts';

export interface SyncDeps extends InForceDeps {
  secretBox: SecretBox;
  config: Pick<Config, 'allowedPrivateRanges'>;
}
type Verdicts = ClusterObjectsAnswer['objects'];

/** The first report of a collector binds its token to the cluster. */
const RETRY_SECONDS = 10;

/** More rules than an organisation can have. */
const EVERY_RULE = { limit: 100_000, offset: 0 };

interface Read {
  object: CustomObject;
  reading: Reading;
}

/**
 * Makes the stored rules, silences and channels of a cluster equal to its custom resources. Returns the verdict on each
 * object. Throws `node_not_known_yet`, `cluster_mismatch`, and `collector_superseded` if a later leader or a later request
 * was faster.
 */
export async function syncObjects(
  deps: SyncDeps,
  { cluster: agent, address }: { cluster: ClusterAgent; address: string | null },
  sent: ClusterObjects,
): Promise<Verdicts> {
  const now = deps.clock.now();
  const { cluster, uid, name } = await requireCluster(deps, agent, sent);
  const context: ObjectContext = { clusterId: uid, releaseNamespace: sent.release_namespace, now };
  const read = sent.objects.map((object): Read => ({ object, reading: readObject(object, context) }));
  refuseTooManyChannels(read);
  // Before the transaction: names are looked up.
  await Promise.all(read.map((one) => refusePrivateChannel(one, deps.config.allowedPrivateRanges)));
  const { organisationId } = cluster;
  const turn = { term: sent.collector.term, seq: sent.seq, addresses: sent.api_addresses ?? [] };
  const applied = await deps.storage.inTransaction(async (stores) => {
    await refuseUnknownServers(stores.servers, ownerOf(organisationId), read);
    if (!(await stores.managedObjects.takeTurn(cluster.clusterKey, turn, now)))
      throw new CodedError('collector_superseded', 'collector.term: a later leader or request was faster', {
        field: 'collector.term',
      });
    // Read below the lock, so that no rule outlives a permission that ends at the same moment.
    const current = await stores.managedObjects.cluster(cluster.clusterKey);
    if (current?.rulesOrganisation !== true) refuseOrganisationRules(read);
    const stored = await stores.notify.channels.ofObjects.sealed(cluster.clusterKey);
    const done = await applyObjects(stores, cluster, wantedOf(deps.secretBox, sent.covers, read, stored), now);
    const objects = changeWords(done);
    if (objects !== '') {
      const by = collectorActor(agent, organisationId, address);
      const detail = { objects, cluster: name ?? uid, id: uid };
      await stores.tenancy.audit.record(by, 'cluster_objects_applied', detail, now);
    }
    const { rules } = await stores.alertRules.list(ownerOf(organisationId), EVERY_RULE);
    return { done, deciding: decidingWords(rules, uid) };
  });
  if (changeWords(applied.done) !== '') await putInForce(deps, organisationId);
  return read.map((one) => verdictOf(one, applied.done, applied.deciding));
}

/** Returns the cluster of the token, which is the one that the request names. */
async function requireCluster(
  { storage }: SyncDeps,
  { organisationId, clusterKey }: ClusterAgent,
  sent: ClusterObjects,
): Promise<{ cluster: ObjectCluster; uid: string; name: string | null }> {
  const found = clusterKey === null ? null : await storage.managedObjects.cluster(clusterKey);
  if (organisationId === null || clusterKey === null || found === null)
    throw new CodedError('node_not_known_yet', 'No report of this cluster has arrived yet, or nobody owns it', {
      remedy: 'Try again in some seconds.',
      retryAfterSeconds: RETRY_SECONDS,
    });
  if (found.reportedUid !== sent.cluster_uid)
    throw new CodedError('cluster_mismatch', 'cluster_uid: this token belongs to another cluster', {
      field: 'cluster_uid',
      remedy: 'Make a token for this cluster on the Kubernetes tab of Setup.',
    });
  return { cluster: { clusterKey, organisationId }, uid: found.uid, name: found.name };
}

const refusalOf = (reading: Reading): Refusal | null => ('refusal' in reading ? reading.refusal : null);

/** A rule or silence that names a server of another account answers as one that names an unknown server. */
async function refuseUnknownServers(servers: Pick<Servers, 'get'>, owner: Owner, read: Read[]): Promise<void> {
  const known = new Map<string, boolean>();
  for (const one of read) {
    const serverId = serverOf(one.reading);
    if (serverId === null) continue;
    if (!known.has(serverId)) known.set(serverId, (await servers.get(owner, serverId)) !== null);
    if (known.get(serverId) === true) continue;
    const refusal: Refusal = {
      reason: 'NotFound',
      message: 'spec.serverId: no such server. Copy the id from its page.',
    };
    one.reading = { kind: one.object.kind, refusal };
  }
}
function serverOf(reading: Reading): string | null {
  if ('refusal' in reading || reading.kind === 'NotificationChannel') return null;
  if (reading.kind === 'Silence') return reading.draft.serverId;
  return 'serverId' in reading.draft.target ? reading.draft.target.serverId : null;
}

function refuseOrganisationRules(read: Read[]): void {
  for (const one of read) {
    const { reading } = one;
    if ('refusal' in reading || reading.kind !== 'AlertRule') continue;
    const refusal = organisationRefusal(reading.draft.target);
    if (refusal !== null) one.reading = { kind: reading.kind, refusal };
  }
}

/** A channel of an object leads nowhere where one of the form may not. */
async function refusePrivateChannel(one: Read, allowedRanges: readonly string[]): Promise<void> {
  const { reading, object } = one;
  if ('refusal' in reading || reading.kind !== 'NotificationChannel') return;
  try {
    await refusePrivate(reading.draft.type, reading.draft, allowedRanges);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    one.reading = { kind: reading.kind, refusal: placeRefusal(object, error) };
  }
}

function refuseTooManyChannels(read: Read[]): void {
  const channels = read.filter(({ reading }) => reading.kind === 'NotificationChannel' && refusalOf(reading) === null);
  for (const one of channels.slice(NOTIFY_LIMITS.channels))
    one.reading = {
      kind: 'NotificationChannel',
      refusal: {
        reason: 'LimitExceeded',
        message: `A cluster has at most ${String(NOTIFY_LIMITS.channels)} channels. Delete one first.`,
      },
    };
}

const WITHOUT_AUTHORITY: readonly RefusalReason[] = ['OutsideNamespace', 'OrganisationRulesOff'];

const hashOf = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest();

function wantedOf(
  secretBox: SecretBox,
  covers: readonly CustomKind[],
  read: readonly Read[],
  stored: readonly ObjectChannel[],
): WantedObjects {
  const rules = [];
  const silences = [];
  const channels: WantedObjects['channels'][number][] = [];
  const kept: Record<CustomKind, ObjectKey[]> = { AlertRule: [], NotificationChannel: [], Silence: [] };
  const storedOf = new Map(stored.map((one) => [keyOf(one), one]));
  for (const { object, reading } of read) {
    const { namespace, name } = object;
    if ('refusal' in reading) {
      // An object without authority loses what it made. A mistake in an edit leaves the version before it in force.
      if (!WITHOUT_AUTHORITY.includes(reading.refusal.reason)) kept[object.kind].push(keyOf(object));
    } else if (reading.kind === 'AlertRule') {
      const { draft } = reading;
      rules.push({ namespace, name, draft, hash: hashOf(draft) });
    } else if (reading.kind === 'Silence') {
      const { draft } = reading;
      silences.push({ namespace, name, draft, hash: hashOf(draft) });
    } else channels.push(channelOf(secretBox, object, reading.draft, storedOf.get(keyOf(object)) ?? null));
  }
  return { covers, kept, rules, silences, channels };
}

/** A hash of a short password would reveal it, so the secrets are compared with the stored ones and count as a change. */
function channelOf(
  secretBox: SecretBox,
  { namespace, name }: CustomObject,
  { secrets, ...draft }: ChannelDraft,
  stored: ObjectChannel | null,
): WantedObjects['channels'][number] {
  const known = stored?.type === draft.type ? stored : null;
  const id = known?.id ?? randomUUID();
  const before = known && openSecrets(secretBox, id, known.sealedSecrets);
  const isSame = before !== null && JSON.stringify(sorted(before)) === JSON.stringify(sorted(secrets));
  const sealedSecrets = known !== null && isSame ? known.sealedSecrets : sealSecrets(secretBox, id, secrets);
  const entry: ChannelEntry = { ...draft, id, sealedSecrets, secretEnds: secretEndsOf(secrets) };
  return { namespace, name, entry, hash: hashOf([draft, id, sealedSecrets.toString('base64')]) };
}
const sorted = (record: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));

function verdictOf(
  { object, reading }: Read,
  applied: Record<CustomKind, Applied>,
  deciding: ReadonlyMap<ObjectKey, string>,
): Verdicts[number] {
  const { kind, namespace, name, uid, generation } = object;
  const refusal = refusalOf(reading);
  return {
    kind,
    namespace,
    name,
    uid,
    generation,
    accepted: refusal === null,
    reason: refusal?.reason ?? null,
    message: refusal?.message ?? (kind === 'AlertRule' ? (deciding.get(keyOf(object)) ?? null) : null),
    is_kept: refusal !== null && applied[kind].kept.includes(keyOf(object)),
  };
}

const CHANGES = ['created', 'changed', 'deleted'] as const;

/**
 * Returns what a sync changed: "2 AlertRules created: shop/cpu, shop/disk; 1 Silence deleted: shop/night". Empty: nothing.
 */
const changeWords = (applied: Readonly<Record<CustomKind, Applied>>): string =>
  CUSTOM_KINDS.flatMap((kind) =>
    CHANGES.flatMap((change) => {
      const keys = applied[kind][change];
      if (keys.length === 0) return [];
      return [`${String(keys.length)} ${kind}${keys.length === 1 ? '' : 's'} ${change}: ${nameList(keys)}`];
    }),
  ).join('; ');
