import {
  alertOf,
  changed,
  climb,
  DECOY_CHANGES,
  DECOY_EVENTS,
  DECOYS,
  edited,
  event,
  fault,
  flat,
  GIB,
  running,
  seen,
  step,
  updated,
  type OtherFault,
} from '../other-faults/host-told.ts';
import { ago, field } from '../shop.ts';

/** Two causes on one machine, and machines with nothing wrong. */

const decoys = { changes: DECOY_CHANGES, events: DECOY_EVENTS };
const never = DECOYS;

export const twoOnHosts: readonly OtherFault[] = [
  fault(
    'leak-and-stopped-proxy',
    [],
    {
      metric: 'memory_usage',
      ...decoys,
      alerts: [alertOf('systemd_unit_failed', 4, { subject: 'nginx.service' })],
      series: { memory: climb(50, 92, 500) },
      processes: running(seen('node', { pid: 901, cpuPercent: 60, memoryBytes: 14 * GIB })),
      events: [...DECOY_EVENTS, event('service_stop', 'nginx.service', 'nginx.service failed', 5)],
      failedUnits: ['nginx.service'],
    },
    { never, all: [/process node/, /unit nginx/] },
  ),
  fault(
    'logs-and-a-busy-encoder',
    [],
    {
      metric: 'disk_usage',
      subject: '/var/log',
      alerts: [alertOf('cpu_usage', 4)],
      series: { disk: climb(60, 95, 120), cpu: step(22, 95, 16) },
      processes: running(seen('rsyslogd', { cpuPercent: 40 }), seen('ffmpeg', { cpuPercent: 560, startedAt: ago(16) })),
    },
    { all: [/filesystem \/var\/log/, /process ffmpeg/] },
  ),
];

const calm = { metric: 'check_failed', ...decoys };
export const healthyHosts: readonly OtherFault[] = [
  fault('check-flaps-on-a-calm-machine', [], calm),
  fault('message-of-the-day-edited', [], { ...calm, changes: [edited('/etc/motd', 5)] }),
  fault('swappiness-set', [], {
    ...calm,
    changes: [changed('sysctls', 5, 'vm.swappiness 60 → 10', [field('vm.swappiness', '60', '10')])],
  }),
  fault('memory-as-always', [], { metric: 'memory_usage', ...decoys, series: { memory: flat(81, 0.5) } }),
  fault('updates-wait', [], { metric: 'updates_pending', ...decoys }),
  fault('rotation-of-logs', [], {
    ...calm,
    events: [
      event('service_start', 'logrotate.service', 'logrotate.service started', 5),
      event('service_stop', 'logrotate.service', 'logrotate.service stopped', 4.8),
      event('service_start', 'fstrim.service', 'fstrim.service started', 4),
    ],
  }),
  fault('editor-installed', [], { ...calm, changes: [updated('vim', null, '9.1', 5)] }),
  fault('person-signs-in', [], { ...calm, events: [event('ssh_login', 'ada', 'ada signed in from 198.51.100.4', 5)] }),
];
