import { createHash, randomUUID } from 'node:crypto';
import { CUSTOM_KINDS, type CustomKind } from '@plimsoll/contract/rules/custom-resources';
import { NOTIFY_LIMITS } from '@plimsoll/contract/rules/notify';
import type { ClusterObjects, ClusterObjectsAnswer, CustomObject } from '@plimsoll/contract/wire/custom-resources';
import { ownerOf, type Owner } from '../accounts/owner.ts';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import type { ChannelEntry } from '../notify/types.ts';
import { secretEndsOf } from '../notify/channel-input.ts';
import { openSecrets, sealSecrets } from '../notify/channel-secrets.ts';
import type { Servers } from '../servers/store.ts';
import { readObject } from './read-object.ts';
import type { ManagedObjects } from './store.ts';
import {
  keyOf,
  type Applied,
  type ChannelDraft,
  type ObjectContext,
  type ObjectKey,
  type Reading,
  type Refusal,
  type StoredChannel,
  type WantedChannel,
  type WantedObjects,
} from './types.ts';

export interface SyncDeps {
  objects: ManagedObjects;
  servers: Pick<Servers, 'get'>;
  secretBox: SecretBox;
}
export interface SyncedObjects {
  verdicts: ClusterObjectsAnswer['objects'];
  applied: Record<CustomKind, Applied>;
}

interface Read {
  object: CustomObject;
  reading: Reading;
}

/**
 * Makes the stored rules, silences and channels of a cluster equal to its custom resources. Returns the verdict on each
 * object; null: a later leader or a later request was faster.
 */
export async function syncObjects(
  deps: SyncDeps,
  cluster: { key: number; uid: string; accountId: string },
  sent: ClusterObjects,
  now: number,
): Promise<SyncedObjects | null> {
  const context: ObjectContext = { clusterId: cluster.uid, releaseNamespace: sent.release_namespace, now };
  const read = sent.objects.map((object): Read => ({ object, reading: readObject(object, context) }));
  await refuseUnknownServers(deps.servers, ownerOf(cluster.accountId), read);
  refuseTooManyChannels(read);
  const stored = await deps.objects.channels(cluster.key);
  const wanted = wantedOf(deps.secretBox, sent.covers, read, stored);
  const set = { clusterKey: cluster.key, accountId: cluster.accountId, term: sent.collector.term, seq: sent.seq };
  const applied = await deps.objects.apply(set, wanted, now);
  if (applied === null) return null;
  return { verdicts: read.map((one) => verdictOf(one, applied)), applied };
}

const refusalOf = (reading: Reading): Refusal | null => ('refusal' in reading ? reading.refusal : null);

/** A rule or silence that names a server of another account answers as one that names an unknown server. */
async function refuseUnknownServers(servers: SyncDeps['servers'], owner: Owner, read: Read[]): Promise<void> {
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

const hashOf = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest();

function wantedOf(
  secretBox: SecretBox,
  covers: readonly CustomKind[],
  read: readonly Read[],
  stored: readonly StoredChannel[],
): WantedObjects {
  const rules = [];
  const silences = [];
  const channels: WantedChannel[] = [];
  const kept: Record<CustomKind, ObjectKey[]> = { AlertRule: [], NotificationChannel: [], Silence: [] };
  const storedOf = new Map(stored.map((one) => [keyOf(one), one]));
  for (const { object, reading } of read) {
    const { namespace, name } = object;
    if ('refusal' in reading) {
      // An object without authority loses what it made. A mistake in an edit leaves the version before it in force.
      if (reading.refusal.reason !== 'OutsideNamespace') kept[object.kind].push(keyOf(object));
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
  stored: StoredChannel | null,
): WantedChannel {
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

function verdictOf({ object, reading }: Read, applied: Record<CustomKind, Applied>): SyncedObjects['verdicts'][number] {
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
    message: refusal?.message ?? null,
    is_kept: refusal !== null && applied[kind].kept.includes(keyOf(object)),
  };
}

/** Returns true if the sync changed what alerts or messages depend on. */
export const isChanged = ({ applied }: SyncedObjects): boolean =>
  CUSTOM_KINDS.some((kind) => {
    const { created, changed, deleted } = applied[kind];
    return created.length + changed.length + deleted.length > 0;
  });
