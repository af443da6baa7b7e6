import { TIMELINE_KINDS, type TimelineKind } from '@plimsoll/contract/rules/timeline';
import type { EventSeverity, EventType } from '@plimsoll/contract/rules/limits';
import { currentMessage } from '../alerts/message.ts';
import type { AlertRecord } from '../alerts/types.ts';
import type { EventRecord } from '../kubernetes/types.ts';
import type { ActivityRecord } from './types.ts';

/** Equal entries this close to each other are one burst. */
const BURST_MS = 15 * 60_000;
/** Servers named in one entry. */
const MOST_NAMED = 3;

interface Server {
  id: string;
  hostname: string;
}
interface KubernetesObject {
  clusterId: string;
  namespace: string;
  kind: string;
  name: string;
}

/** Something that happened once. Times are epoch ms. */
export interface Happening {
  id: string;
  kind: TimelineKind;
  at: number;
  /** Times it happened, where the source counts itself, and when first. */
  count: number;
  firstAt: number;
  severity: EventSeverity;
  type: string;
  message: string;
  server: Server | null;
  object: KubernetesObject | null;
  alert: { id: string; endedAt: number | null } | null;
  /** Two with one key are the same thing. */
  key: string;
}

/** Equal happenings of a burst; `at` is that of the newest. */
export interface TimelineRow extends Omit<Happening, 'server' | 'key'> {
  servers: Server[];
  serversTotal: number;
  /** Kubernetes objects that it happened to; 0: it is about hosts. */
  objectsTotal: number;
}

const KIND_OF: Record<EventType, TimelineKind> = {
  service_start: 'service',
  service_stop: 'service',
  service_restart: 'service',
  process_start: 'process',
  process_stop: 'process',
  process_crash: 'crash',
  config_change: 'config',
  update_installed: 'package',
  system_monitoring: 'system',
  system_resume: 'system',
  oom_kill: 'oom',
  segfault: 'crash',
  io_error: 'system',
  hung_task: 'system',
  remounted_read_only: 'system',
  link_down: 'system',
  link_up: 'system',
  ecc_error: 'system',
  conntrack_full: 'system',
  thermal_throttling: 'system',
  time_source_changed: 'system',
  journal_error: 'system',
};
const OUT_OF_MEMORY = /out of memory|oom-?kill/i;

/** Pids and counts differ between two equal messages. */
const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '#');

/** "checkout-h3nz9" of "checkout-h3nz9-mmen6". */
const withoutSuffix = (name: string): string => name.replace(/-[a-z0-9]+$/, '');

export function ofEvent(event: ActivityRecord): Happening {
  const { id, serverId, hostname, at, event_type: type, severity, message } = event;
  const kind = type === 'process_crash' && OUT_OF_MEMORY.test(message) ? 'oom' : KIND_OF[type];
  return {
    id: `event/${id}`,
    kind,
    at,
    firstAt: at,
    count: 1,
    severity,
    type,
    message,
    server: { id: serverId, hostname },
    object: null,
    alert: null,
    key: `${type} ${withoutNumbers(message)}`,
  };
}

export function ofKubernetes(event: EventRecord): Happening {
  const { id, clusterId, namespace, kind, name, reason, message, count, firstAt, lastAt } = event;
  const isKill = /oom/i.test(reason) || OUT_OF_MEMORY.test(message);
  return {
    id: `kubernetes/${clusterId}/${id}`,
    kind: isKill ? 'oom' : 'kubernetes',
    at: lastAt,
    firstAt,
    count,
    severity: isKill ? 'error' : 'warning',
    type: reason,
    message,
    server: null,
    object: { clusterId, namespace, kind, name },
    alert: null,
    // Pods of one ReplicaSet differ in the end of their names.
    key: `${clusterId} ${namespace} ${kind} ${reason} ${withoutSuffix(name)} ${withoutNumbers(message.replaceAll(name, '*'))}`,
  };
}

/** An alert folds with those of the same rule on the same thing: a value that crosses its line again and again. */
export function ofAlert(alert: AlertRecord, now: number): Happening {
  const { id, serverId, hostname, openedAt, resolvedAt, level, metric, rule, subject, cluster } = alert;
  return {
    id: `alert/${id}`,
    kind: 'alert',
    at: openedAt,
    firstAt: openedAt,
    count: 1,
    severity: level,
    type: metric,
    message: currentMessage(alert, now),
    server: serverId === null ? null : { id: serverId, hostname },
    object: null,
    alert: { id, endedAt: resolvedAt },
    key: `${rule} ${metric} ${serverId ?? cluster?.clusterId ?? ''} ${subject}`,
  };
}

const textOf = ({ message, type, server, object }: Happening): string =>
  [message, type, server?.hostname ?? '', object?.namespace ?? '', object?.name ?? ''].join('\n').toLowerCase();
/** Returns true if the happening holds every word of the search. */
export const matchesSearch = (one: Happening, search: string): boolean => {
  const text = textOf(one);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

export const countKinds = (all: readonly Happening[]): { kind: TimelineKind; count: number }[] =>
  TIMELINE_KINDS.map((kind) => ({ kind, count: all.filter((one) => one.kind === kind).length }));

const rowOf = (burst: readonly Happening[], newest: Happening): TimelineRow => {
  const { server: _server, key: _key, ...row } = newest;
  const servers = new Map(burst.flatMap(({ server }) => (server === null ? [] : [[server.id, server]])));
  return {
    ...row,
    count: burst.reduce((sum, { count }) => sum + count, 0),
    firstAt: Math.min(...burst.map(({ firstAt }) => firstAt)),
    servers: [...servers.values()].slice(0, MOST_NAMED),
    serversTotal: servers.size,
    objectsTotal: new Set(burst.flatMap(({ object }) => (object === null ? [] : [object.name]))).size,
  };
};

/**
 * Returns the happenings newest first, equal ones of a burst as one row in the place of the newest. A burst goes on while
 * the next equal one is at most 15 minutes older.
 */
export function foldBursts(all: readonly Happening[]): TimelineRow[] {
  const bursts: Happening[][] = [];
  const open = new Map<string, Happening[]>();
  for (const one of all.toSorted((a, b) => b.at - a.at || a.id.localeCompare(b.id))) {
    const key = `${one.kind} ${one.key}`;
    const burst = open.get(key);
    const last = burst?.at(-1);
    if (burst !== undefined && last !== undefined && Math.min(last.at, last.firstAt) - one.at <= BURST_MS) {
      burst.push(one);
      continue;
    }
    const begun = [one];
    open.set(key, begun);
    bursts.push(begun);
  }
  return bursts.flatMap((burst) => (burst[0] === undefined ? [] : [rowOf(burst, burst[0])]));
}
