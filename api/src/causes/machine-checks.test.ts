import { describe, expect, it } from 'vitest';
import { emptyEvidence, type ChangeSeen, type Evidence, type ServerSeen } from './evidence.ts';
import { explain } from './explain.ts';
import { bareServer } from './testing/bare-server.ts';

/** A check fails, and the machine that it may be about was read with it. */
const AT = Date.UTC(2026, 10, 23, 3, 12) / 1000;
const event = (type: string, name: string, message: string, seconds: number) => ({
  type,
  name,
  message,
  at: AT - seconds,
});
const changed = (kind: string, seconds: number, fields: ChangeSeen['fields'], title: string): ChangeSeen => ({
  id: `${kind}-1`,
  at: AT - seconds,
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
});

function failing(server: Partial<ServerSeen>, changes: readonly ChangeSeen[] = [], metric = 'check_failed'): Evidence {
  const isCheck = metric === 'check_failed';
  return {
    ...emptyEvidence(AT, AT + 60),
    alerts: [
      {
        id: 'alert-1',
        metric,
        title: 'Check failed',
        message: '',
        at: AT,
        subject: isCheck ? 'check-1' : '',
        serverId: isCheck ? null : 'web-1',
        hostname: null,
        object: null,
      },
    ],
    checks: [
      {
        id: 'check-1',
        name: 'web',
        target: 'http://198.51.100.7:8080/',
        status: 'down',
        since: AT - 30,
        reason: 'status_unexpected',
        serverId: null,
      },
    ],
    changes,
    servers: [bareServer('web-1', AT, server)],
  };
}
const causesOf = (...given: Parameters<typeof failing>) =>
  explain(failing(...given)).causes.map(({ mechanism, entities }) => [mechanism, entities[0]?.kind, entities[0]?.name]);

describe('a check of a machine fails', () => {
  it('because a person stopped a unit behind the web server', () => {
    const events = [event('service_stop', 'backend.service', 'backend.service stopped', 40)];
    expect(causesOf({ events })).toEqual([['service_stopped', 'unit', 'backend.service']]);
    // A unit that was started again is no cause.
    const again = [...events, event('service_start', 'backend.service', 'backend.service started', 20)];
    expect(causesOf({ events: again }).flat()).not.toContain('service_stopped');
  });

  it('because a mount is gone', () => {
    const fields = [{ field: '/srv/data', was: 'removed' as const, before: 'tmpfs tmpfs', after: null }];
    expect(causesOf({}, [changed('mounts', 40, fields, '/srv/data removed')])).toEqual([
      ['mount_gone', 'filesystem', '/srv/data'],
    ]);
  });

  it('because a package changed the unit that is named after it', () => {
    const update = changed('packages', 50, [], 'web-config 1.0 → 1.1');
    const restart = event('service_restart', 'web.service', 'web.service restarted', 45);
    expect(causesOf({ events: [restart] }, [update])).toEqual([['unit_after_change', 'unit', 'web.service']]);
    const other = event('service_restart', 'cron.service', 'cron.service restarted', 45);
    expect(causesOf({ events: [other] }, [update])).toEqual([]);
  });

  it.each([
    ['conntrack', { used: 65_500, max: 65_536 }],
    ['openFiles', { used: 99_000, max: 100_000 }],
    ['ephemeralPorts', { used: 28_000, max: 28_232 }],
  ] as const)('because a limit of the kernel is reached: %s', (name, use) => {
    const none = { conntrack: null, openFiles: null, ephemeralPorts: null, clockSynchronized: true };
    expect(causesOf({ limits: { ...none, [name]: use } })).toEqual([['kernel_limit', 'server', 'web-1']]);
    expect(causesOf({ limits: { ...none, [name]: { ...use, used: 1000 } } })).toEqual([]);
    expect(causesOf({ limits: { ...none, [name]: { ...use, max: null } } })).toEqual([]);
  });
});

describe('a machine that no alert names', () => {
  const POINTS = 144;
  const cpu = (minutesAgo: number) =>
    Array.from({ length: POINTS }, (_, index) => {
      const at = AT - (POINTS - index) * 300;
      return { at, value: at < AT - minutesAgo * 60 ? 20 : 75 };
    });
  const busy = (minutesAgo: number): Partial<ServerSeen> => {
    const node = { pid: 512, name: 'node', cpuPercent: 440, memoryBytes: 1e9, startedAt: AT - minutesAgo * 60 };
    return {
      cpuCores: 8,
      series: { ...bareServer('web-1', AT, {}).series, cpu: cpu(minutesAgo) },
      processes: [node],
      processesBefore: [],
    };
  };

  it('is not accused of what began long before the check failed', () => {
    // With an alert of its own it is.
    expect(causesOf({ ...busy(380), metric: 'cpu_usage' }, [], 'cpu_usage')).not.toEqual([]);
    expect(causesOf(busy(380))).toEqual([]);
    const events = [event('service_stop', 'backend.service', 'backend.service failed', 3600)];
    expect(causesOf({ events })).toEqual([]);
  });

  it('has nothing to do with the end of a certificate', () => {
    const events = [event('service_stop', 'backend.service', 'backend.service failed', 40)];
    const evidence = failing({ events });
    expect(explain(evidence).causes).not.toEqual([]);
    const alerts = evidence.alerts.map((alert) => ({ ...alert, metric: 'certificate_days' }));
    expect(explain({ ...evidence, alerts }).causes).toEqual([]);
  });
});

it('names the unit that came before the inodes ran out, and the filesystem without one', () => {
  const filesystems = [{ mount: '/', usedPercent: 13, inodesPercent: 100 }];
  const events = [event('service_start', 'sessions.service', 'sessions.service started', 50)];
  const metric = 'inode_usage';
  expect(causesOf({ metric, filesystems, events }, [], metric)).toEqual([
    ['inodes_exhausted', 'unit', 'sessions.service'],
  ]);
  expect(causesOf({ metric, filesystems }, [], metric)).toEqual([['inodes_exhausted', 'filesystem', '/']]);
});
