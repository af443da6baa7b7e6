import { isCheckMetric } from '@plimsoll/contract/rules/alert-rule-limits';
import type { ManagedObject } from '../kubernetes/types.ts';

/** Times are epoch milliseconds. */

/** An alert matches if it matches each field that is not null. */
export interface SilenceMatcher {
  serverId: string | null;
  tagKey: string | null;
  /** null with a key: any value. */
  tagValue: string | null;
  metric: string | null;
  rule: string | null;
  /** Empty: alerts of the server itself. */
  subject: string | null;
  clusterId: string | null;
  namespace: string | null;
}
export interface SilenceDraft extends SilenceMatcher {
  startsAt: number;
  endsAt: number;
  comment: string;
}
/** Subjects of a period of recurring maintenance. */
export interface Covered {
  maintenanceId: string;
  /** With the nodes of the clusters. */
  serverIds: readonly string[];
  /** With those that belong to one of the servers or clusters. */
  checkIds: readonly string[];
  clusterIds: readonly string[];
}
export interface Silence extends SilenceDraft {
  id: string;
  /** Null: a user or a custom resource made the silence, and its matcher decides. */
  covered: Covered | null;
  /** The custom resource that made the silence; null: a user did. */
  object: ManagedObject | null;
  /** Shown name of the server; null: the matcher names none. */
  hostname: string | null;
  /** Name of the user; null: the account is gone. */
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Facts that a matcher compares. */
export interface AlertFacts {
  serverId: string | null;
  tags: Readonly<Record<string, string>>;
  metric: string;
  rule: string;
  subject: string;
  clusterId: string | null;
  namespace: string | null;
}

const FIELDS = ['serverId', 'metric', 'rule', 'subject', 'clusterId', 'namespace'] as const;

function isCovered({ serverIds, checkIds, clusterIds }: Covered, alert: AlertFacts): boolean {
  if (isCheckMetric(alert.metric)) return checkIds.includes(alert.subject);
  if (alert.serverId !== null && serverIds.includes(alert.serverId)) return true;
  return alert.clusterId !== null && clusterIds.includes(alert.clusterId);
}

/** Returns true if the alert matches every field that the matcher gives, or is about a subject of a maintenance. */
export function matchesSilence(
  matcher: SilenceMatcher & Partial<Pick<Silence, 'covered'>>,
  alert: AlertFacts,
): boolean {
  const { tagKey, tagValue, covered = null } = matcher;
  if (covered !== null) return isCovered(covered, alert);
  if (!FIELDS.every((field) => matcher[field] === null || matcher[field] === alert[field])) return false;
  if (tagKey === null) return true;
  return Object.hasOwn(alert.tags, tagKey) && (tagValue === null || alert.tags[tagKey] === tagValue);
}

/** The end of a silence does not belong to it. */
export const isActive = ({ startsAt, endsAt }: Pick<Silence, 'startsAt' | 'endsAt'>, now: number): boolean =>
  startsAt <= now && now < endsAt;

type Ending = Pick<Silence, 'id' | 'endsAt' | 'covered'>;
const lastEnding = (a: Ending, b: Ending): Ending =>
  b.endsAt > a.endsAt || (b.endsAt === a.endsAt && b.id < a.id) ? b : a;

/** Silences of an account that are active at one moment; bulk operations make many that name one server each. */
export class ActiveSilences {
  readonly #ofServer = new Map<string, Silence[]>();
  readonly #general: Silence[] = [];

  constructor(silences: readonly Silence[], now: number) {
    for (const silence of silences) {
      if (!isActive(silence, now)) continue;
      if (silence.serverId === null) this.#general.push(silence);
      else this.#ofServer.set(silence.serverId, [...(this.#ofServer.get(silence.serverId) ?? []), silence]);
    }
  }

  /** Returns the silence that ends last of those that match; null: none does. */
  of(alert: AlertFacts): { id: string; endsAt: number; isMaintenance: boolean } | null {
    const candidates = [...this.#general, ...(this.#ofServer.get(alert.serverId ?? '') ?? [])];
    const matching = candidates.filter((silence) => matchesSilence(silence, alert));
    const [first, ...others] = matching;
    if (first === undefined) return null;
    const { id, endsAt, covered } = others.reduce<Ending>(lastEnding, first);
    return { id, endsAt, isMaintenance: covered !== null };
  }
}

/** Returns the matcher in words: "server web-1, metric disk_usage, subject /var". */
export function silenceText(silence: SilenceMatcher & { hostname: string | null }): string {
  const { serverId, hostname, tagKey, tagValue, metric, rule, subject, clusterId, namespace } = silence;
  const parts = [
    serverId !== null && `server ${hostname ?? serverId}`,
    tagKey !== null && `tag ${tagKey}${tagValue === null ? '' : `=${tagValue}`}`,
    metric !== null && `metric ${metric}`,
    rule !== null && `rule ${rule}`,
    // '' is the server itself, which needs no word beside its name.
    subject !== null && subject !== '' && `subject ${subject}`,
    clusterId !== null && `cluster ${clusterId}`,
    namespace !== null && `namespace ${namespace}`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}
