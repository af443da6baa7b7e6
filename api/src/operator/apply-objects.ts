import type { CustomKind } from '@plimsoll/contract/rules/custom-resources';
import type { ObjectCluster, ObjectName, ObjectRows } from '../kubernetes/object-rows.ts';
import type { Stores } from '../storage.ts';
import { keyOf, type Applied, type ObjectKey, type WantedObjects } from './types.ts';

type Tables = Pick<Stores, 'alertRules' | 'silences' | 'notify'>;
/** The rows of one kind in the tables of its noun. */
interface KindRows extends Pick<ObjectRows<unknown>, 'deleteOthers' | 'names'> {
  wanted: readonly ObjectName[];
  save: (cluster: ObjectCluster, now: number) => Promise<readonly (ObjectName & { isNew: boolean })[]>;
}

const rowsOf = ({ alertRules, silences, notify }: Tables, wanted: WantedObjects): Record<CustomKind, KindRows> => ({
  AlertRule: {
    ...alertRules.ofObjects,
    wanted: wanted.rules,
    save: (cluster, now) => alertRules.ofObjects.save(cluster, wanted.rules, now),
  },
  NotificationChannel: {
    ...notify.channels.ofObjects,
    wanted: wanted.channels,
    save: (cluster, now) => notify.channels.ofObjects.save(cluster, wanted.channels, now),
  },
  Silence: {
    ...silences.ofObjects,
    wanted: wanted.silences,
    save: (cluster, now) => silences.ofObjects.save(cluster, wanted.silences, now),
  },
});

const nameOf = (key: ObjectKey): ObjectName => {
  const bar = key.indexOf('/');
  return { namespace: key.slice(0, bar), name: key.slice(bar + 1) };
};

/** Stores the objects of a cluster within a transaction, and deletes what a covered kind no longer has. */
export async function applyObjects(
  stores: Tables,
  cluster: ObjectCluster,
  wanted: WantedObjects,
  now: number,
): Promise<Record<CustomKind, Applied>> {
  const rows = rowsOf(stores, wanted);
  const apply = async (kind: CustomKind): Promise<Applied> => {
    const { wanted: drafts, save, deleteOthers, names } = rows[kind];
    const kept = wanted.kept[kind];
    const deleted = wanted.covers.includes(kind)
      ? await deleteOthers(cluster, [...drafts, ...kept.map(nameOf)], now)
      : [];
    const written = await save(cluster, now);
    const stored = new Set(kept.length === 0 ? [] : (await names(cluster.clusterKey)).map(keyOf));
    return {
      created: written.filter(({ isNew }) => isNew).map(keyOf),
      changed: written.filter(({ isNew }) => !isNew).map(keyOf),
      deleted: deleted.map(keyOf),
      kept: kept.filter((key) => stored.has(key)),
    };
  };
  return {
    AlertRule: await apply('AlertRule'),
    NotificationChannel: await apply('NotificationChannel'),
    Silence: await apply('Silence'),
  };
}
