import type { Accused } from './score.ts';

/** A Warning event of Kubernetes, as `kubectl get events -o json` has it. */
export interface WarningEvent {
  involvedObject: { kind: string; name: string; namespace?: string };
  count?: number;
  series?: { count: number };
}

const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']);
const KINDS: Record<string, Accused['kind']> = {
  Pod: 'pod',
  Node: 'node',
  Service: 'service',
  PersistentVolumeClaim: 'volume_claim',
};

/** A ReplicaSet is named after its Deployment and a hash. */
function accusedOf({ kind, name, namespace }: WarningEvent['involvedObject']): Accused {
  const place = { object_kind: null, namespace: namespace ?? null };
  if (kind === 'ReplicaSet') return { kind: 'workload', name: name.replace(/-[a-z0-9]+$/, ''), ...place };
  if (WORKLOADS.has(kind)) return { kind: 'workload', name, ...place };
  const known = KINDS[kind];
  return known === undefined ? { ...place, kind: 'object', name, object_kind: kind } : { kind: known, name, ...place };
}

/** Returns the object with the most Warning events, as a reader of `kubectl get events` would name it; [] without any. */
export function namedByEvents(events: readonly WarningEvent[]): Accused[] {
  const counts = new Map<string, { accused: Accused; count: number }>();
  for (const { involvedObject, count, series } of events) {
    const accused = accusedOf(involvedObject);
    const workload =
      accused.kind === 'pod' ? accused.name.replace(/(-[a-z0-9]{6,10})?-([a-z0-9]{5}|\d+)$/, '') : accused.name;
    const key = `${accused.kind === 'pod' ? 'workload' : accused.kind} ${workload}`;
    const one = counts.get(key) ?? { accused, count: 0 };
    one.count += count ?? series?.count ?? 1;
    counts.set(key, one);
  }
  const first = [...counts.values()].toSorted((a, b) => b.count - a.count)[0];
  return first === undefined ? [] : [first.accused];
}

/** Returns the unit or program with the most lines of `journalctl -p err -o json`, one entry a line; [] without any. */
export function namedByJournal(text: string): Accused[] {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const { UNIT, _SYSTEMD_UNIT, SYSLOG_IDENTIFIER } = JSON.parse(line) as Record<string, string | undefined>;
    const isManager = SYSLOG_IDENTIFIER === 'systemd' || _SYSTEMD_UNIT === 'init.scope';
    const unit = isManager ? UNIT : (_SYSTEMD_UNIT ?? SYSLOG_IDENTIFIER);
    if (unit !== undefined) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const first = [...counts].toSorted((a, b) => b[1] - a[1])[0];
  return first === undefined ? [] : [{ kind: 'unit', name: first[0], object_kind: null, namespace: null }];
}
