import type { ObjectVerdict } from '@plimsoll/contract/wire/custom-resources';
import type { Condition, LiveObject } from './live-objects.ts';

type Wanted = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export interface Installation {
  release: string;
  namespace: string;
  /** Names of the mounted Secrets. */
  mounted: readonly string[];
}

const condition = (type: string, status: boolean, reason: string, message = ''): Wanted => ({
  type,
  status: status ? 'True' : 'False',
  reason,
  message,
});

/** Returns the command that mounts the Secret of a channel. */
function mountCommand(object: LiveObject, { release, namespace, mounted }: Installation): string {
  const { secretRef } = object.spec as { secretRef?: { name?: unknown } };
  const name = typeof secretRef?.name === 'string' ? secretRef.name : '';
  if (mounted.includes(name))
    return `The Secret ${name} is in clusterCollector.channelSecrets, but it does not exist or has no keys. Create it in ${namespace}.`;
  const names = [...mounted, name].join(',');
  return `Run: helm upgrade ${release} CHART -n ${namespace} --reuse-values --set 'clusterCollector.channelSecrets={${names}}'`;
}

const APPLIED = 'The dashboard applies this object.';
const KEPT = 'The version before it stays in force.';

/** Returns the conditions that the verdict of the dashboard means for an object. */
export function conditionsOf(object: LiveObject, verdict: ObjectVerdict, installation: Installation): Wanted[] {
  if (verdict.accepted)
    return [
      condition('Accepted', true, 'Accepted'),
      condition('Synced', true, 'Synced', verdict.message ?? APPLIED),
      condition('Degraded', false, 'AsExpected'),
    ];
  const reason = verdict.reason ?? 'Invalid';
  const message = verdict.message ?? '';
  const kept = verdict.is_kept ? ` ${KEPT}` : '';
  if (reason === 'SecretNotMounted') {
    const words = `${message} ${mountCommand(object, installation)}`;
    return [
      condition('Accepted', true, 'Accepted'),
      condition('Synced', false, reason, `${message}${kept}`),
      condition('Degraded', true, reason, words),
    ];
  }
  if (reason === 'OrganisationRulesOff')
    return [
      condition('Accepted', true, 'Accepted'),
      condition('Synced', false, reason, message),
      condition('Degraded', true, reason, message),
    ];
  // A channel with a refused address sends nothing, or sends by the version before: whoever relies on it must see that.
  if (verdict.kind === 'NotificationChannel')
    return [
      condition('Accepted', false, reason, `${message}${kept}`),
      condition('Synced', false, 'NotAccepted', kept.trim()),
      condition('Degraded', true, reason, `${message}${kept}`),
    ];
  return [
    condition('Accepted', false, reason, `${message}${kept}`),
    condition('Synced', false, 'NotAccepted', kept.trim()),
    condition('Degraded', verdict.is_kept, verdict.is_kept ? 'EarlierVersion' : 'AsExpected', kept.trim()),
  ];
}

/** Returns the conditions of an object that waits for the dashboard; null: its version has been judged. */
export function waitingConditions(object: LiveObject, reason: string, message: string): Wanted[] | null {
  const synced = object.conditions.find(({ type }) => type === 'Synced');
  const isJudged = synced?.observedGeneration === object.generation && synced.reason !== 'DashboardUnreachable';
  return isJudged ? null : [condition('Synced', false, reason, message)];
}

/** Returns the conditions to write: those of other types stay, and a transition time moves with the status alone. */
export function merged(object: LiveObject, wanted: readonly Wanted[], now: number): Condition[] | null {
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const next = wanted.map((one): Condition => {
    const before = object.conditions.find(({ type }) => type === one.type);
    const lastTransitionTime = (before?.status === one.status ? before.lastTransitionTime : undefined) ?? time;
    return { ...one, observedGeneration: object.generation, lastTransitionTime };
  });
  const isSame = next.every((one) => {
    const before = object.conditions.find(({ type }) => type === one.type);
    return (
      before?.status === one.status &&
      before.reason === one.reason &&
      (before.message ?? '') === one.message &&
      before.observedGeneration === one.observedGeneration
    );
  });
  if (isSame) return null;
  const others = object.conditions.filter(({ type }) => !next.some((one) => one.type === type)) as Condition[];
  return [...others, ...next];
}

export interface Notice {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** Returns the event that a change of the conditions is worth; null: none. */
export function noticeOf(object: LiveObject, next: readonly Condition[]): Notice | null {
  const changed = next.find(({ type, status, reason }) => {
    const before = object.conditions.find((one) => one.type === type);
    return type !== 'Degraded' && (before?.status !== status || before.reason !== reason);
  });
  if (changed === undefined) return null;
  const bad = next.find(({ type, status }) => (type === 'Accepted' || type === 'Synced') && status === 'False');
  const degraded = next.find(({ type, status }) => type === 'Degraded' && status === 'True');
  if (bad === undefined) return { type: 'Normal', reason: 'Synced', message: APPLIED };
  const words = degraded?.message || bad.message || bad.reason;
  return { type: 'Warning', reason: bad.reason, message: words.slice(0, 1000) };
}
