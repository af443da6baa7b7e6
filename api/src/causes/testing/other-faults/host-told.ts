import {
  emptyEvidence,
  emptySeries,
  type AlertSeen,
  type ChangeSeen,
  type CheckSeen,
  type Evidence,
  type FieldSeen,
  type LineSeen,
  type Point,
  type ProcessSeen,
  type ServerSeen,
} from '../../evidence.ts';
import { bareServer } from '../bare-server.ts';
import { AT, ago, field } from '../shop.ts';

/**
 * Faults of machines of kinds that neither the lab nor the other tests have. `right`: what the first cause must name, by
 * kind and name of an entity or by the id of a change; empty: nothing may be accused. `never`: names that no cause may have.
 */
export interface OtherFault {
  id: string;
  right: readonly RegExp[];
  never?: readonly RegExp[];
  /** Names that all causes together must have, each. */
  all?: readonly RegExp[];
  /** Words that the first finding must not have. */
  untrue?: RegExp;
  /** True: to find no cause is right, too. */
  isHard?: boolean;
  evidence: Evidence;
}

const MINUTE = 60;
const HOUR = 3600;
export const GIB = 2 ** 30;
export const MIB = 2 ** 20;

export const series = (value: (minutes: number) => number | null, noise = 0): Point[] =>
  Array.from({ length: 125 }, (_, index) => {
    const at = AT - 12 * HOUR + index * 6 * MINUTE;
    const base = value((at - AT) / MINUTE);
    return { at, value: base === null ? null : Math.max(0, base + noise * Math.sin(index * 12.9898)) };
  });
export const flat = (value: number, noise = 1): Point[] => series(() => value, noise);
/** Another level since some minutes. */
export const step = (was: number, is: number, minutes: number, noise = 1): Point[] =>
  series((time) => (time < -minutes ? was : is), noise);
/** Grows since some minutes until now. */
export const climb = (was: number, is: number, minutes: number, noise = 0.3): Point[] =>
  series((time) => (time < -minutes ? was : was + ((is - was) * (time + minutes)) / minutes), noise);

export const seen = (name: string, more: Partial<ProcessSeen> = {}): ProcessSeen => ({
  pid: 100 + name.length,
  name,
  cpuPercent: 4,
  memoryBytes: 0.4 * GIB,
  startedAt: AT - 90 * 24 * HOUR,
  ...more,
});
const USUAL: readonly ProcessSeen[] = [
  seen('postgres', { pid: 955, cpuPercent: 30, memoryBytes: 3 * GIB }),
  seen('node', { pid: 901, cpuPercent: 60, memoryBytes: 1.5 * GIB }),
  seen('nginx', { pid: 812, cpuPercent: 20, memoryBytes: 0.2 * GIB }),
  seen('systemd-journald', { pid: 310, cpuPercent: 0.4, memoryBytes: 0.05 * GIB }),
  seen('sshd', { pid: 611, cpuPercent: 0, memoryBytes: 0.01 * GIB }),
];
export const running = (...more: readonly ProcessSeen[]): ProcessSeen[] => [
  ...USUAL.filter(({ name }) => more.every((one) => one.name !== name)),
  ...more,
];

export interface Of extends Partial<Omit<ServerSeen, 'series'>> {
  series?: Partial<ServerSeen['series']>;
}
export const serverOf = (hostname: string, metric: string | null, { series: own, ...more }: Of): ServerSeen => ({
  ...bareServer(hostname, ago(3)),
  metric,
  cpuCores: 8,
  memoryTotalBytes: 32 * GIB,
  processes: running(),
  processesBefore: running(),
  filesystems: [{ mount: '/', usedPercent: 40, inodesPercent: 9 }],
  clockSkewSeconds: 0.02,
  ...more,
  series: {
    ...emptySeries(),
    cpu: flat(22, 3),
    memory: flat(55),
    disk: flat(40, 0.1),
    io_wait: flat(1, 0.5),
    iops: flat(120, 20),
    swap: flat(0, 0),
    load: flat(1.6, 0.3),
    receive: flat(2 * MIB, 1e5),
    transmit: flat(3 * MIB, 1e5),
    connections: flat(210, 12),
    time_wait: flat(60, 8),
    close_wait: flat(3, 1),
    syn_recv: flat(1, 1),
    retransmits: flat(0.5, 0.2),
    ...own,
  },
});
export const alertOf = (metric: string, minutes: number, more: Partial<AlertSeen> = {}): AlertSeen => ({
  id: `alert-${metric}-${more.subject ?? ''}${more.serverId ?? ''}`,
  metric,
  title: `${metric} on web-1`,
  message: '',
  at: ago(minutes),
  subject: '',
  serverId: 'web-1',
  hostname: 'web-1',
  object: null,
  ...more,
});
export const event = (type: string, name: string, message: string, minutes: number) => ({
  type,
  name,
  message,
  at: ago(minutes),
});
export const line = (
  kind: string,
  subject: string | null,
  text: string,
  minutes: number,
  more: Partial<LineSeen> = {},
): LineSeen => ({
  at: ago(minutes),
  kind,
  text,
  count: 3,
  subject,
  serverId: 'web-1',
  clusterId: null,
  namespace: null,
  pod: null,
  ...more,
});
export const changed = (
  kind: string,
  minutes: number,
  title: string,
  fields: readonly FieldSeen[] = [],
  more: Partial<ChangeSeen> = {},
): ChangeSeen => ({
  id: `${kind}-${String(minutes)}`,
  at: ago(minutes),
  source: 'host',
  action: 'changed',
  kind,
  namespace: null,
  name: 'web-1',
  title,
  by: null,
  clusterId: null,
  serverId: 'web-1',
  hostname: 'web-1',
  fields,
  ...more,
});
export const edited = (path: string, minutes: number) =>
  changed('files', minutes, `${path} changed`, [field(path, '41 bytes', '44 bytes')]);
export const updated = (name: string, from: string | null, to: string, minutes: number) =>
  changed('packages', minutes, from === null ? `${name} installed` : `${name} ${from} → ${to}`, [
    field(name, from, to),
  ]);

export interface Told extends Of {
  /** Null: the check names no machine. */
  metric: string;
  subject?: string;
  minutes?: number;
  changes?: readonly ChangeSeen[];
  lines?: readonly LineSeen[];
  alerts?: readonly AlertSeen[];
  others?: readonly ServerSeen[];
}
const CHECK: CheckSeen = {
  id: 'check-1',
  name: 'shop',
  target: 'https://198.51.100.7/',
  status: 'down',
  since: ago(4),
  reason: 'status_unexpected',
  serverId: null,
};
function told(of: Told): Evidence {
  const { metric, subject, minutes = 3, changes = [], lines = [], alerts = [], others = [], ...server } = of;
  const isCheck = /^(?:check|heartbeat|certificate)/.test(metric);
  return {
    ...emptyEvidence(ago(minutes), AT + 60),
    alerts: [
      isCheck
        ? alertOf(metric, minutes, { subject: CHECK.id, serverId: null, hostname: null, title: 'Check shop failed' })
        : alertOf(metric, minutes, { subject: subject ?? '' }),
      ...alerts,
    ],
    checks: isCheck ? [CHECK] : [],
    changes: [...changes],
    lines: [...lines],
    servers: [
      serverOf('web-1', isCheck ? null : metric, { at: ago(minutes), subject: subject ?? null, ...server }),
      ...others,
    ],
  };
}
export const fault = (
  id: string,
  right: readonly RegExp[],
  of: Told,
  more: Pick<OtherFault, 'all' | 'never' | 'untrue' | 'isHard'> = {},
): OtherFault => ({ id, right, ...more, evidence: told(of) });

/** Ordinary work of any machine beside the fault. */
export const DECOY_CHANGES = [
  updated('tzdata', '2026a', '2026b', 55),
  updated('libxml2', '2.9.14', '2.9.15', 41),
  edited('/etc/hosts', 33),
];
export const DECOY_EVENTS = [
  event('update_installed', '', 'Package installed or updated: libxml2 2.9.15', 41),
  event('config_change', '', '/etc/hosts changed', 33),
  event('service_start', 'metrics-proxy.service', 'metrics-proxy.service started', 26),
  event('service_restart', 'cron.service', 'cron.service restarted', 24),
];
export const DECOYS = [
  /^change (?:files-33|packages-41|packages-55)$/,
  /libxml2|tzdata/,
  /hosts/,
  /metrics-proxy/,
  /cron\.service/,
];
export const none = { conntrack: null, openFiles: null, ephemeralPorts: null, clockSynchronized: true };
