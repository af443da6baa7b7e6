import { describe, expect, it } from 'vitest';
import { collectorStatus } from './collector-status.ts';
import type { ClusterState } from './types.ts';

const NOW = 1_700_000_000_000;
const ago = (seconds: number) => NOW - seconds * 1000;
const lease = {
  name: 'lease',
  state: 'forbidden' as const,
  detail: 'forbidden: needs leases get',
  since: 0,
  needs: 'get,create,update leases.coordination.k8s.io',
  service_account: 'monitoring:collector',
};
const state = (parts: Partial<ClusterState> = {}): ClusterState => ({
  id: 'c',
  name: 'prod',
  lastSeenAt: ago(20),
  refusals: [],
  apiAddresses: [],
  rival: null,
  readers: [{ ...lease, name: 'pods', state: 'ok' }],
  nodeAgentsSeenAt: ago(10),
  standby: null,
  ...parts,
});

describe('the collector of a cluster', () => {
  it('reports until two reports are missing', () => {
    expect(collectorStatus(state({ lastSeenAt: ago(119) }), NOW)).toMatchObject({ state: 'reporting', remedy: null });
    expect(collectorStatus(state({ lastSeenAt: ago(120) }), NOW)).toMatchObject({ state: 'silent', ageSeconds: 120 });
  });

  it('that is silent while node agents report is stopped, with the line that shows why', () => {
    const { detail, command } = collectorStatus(state({ lastSeenAt: ago(140) }), NOW);
    expect(detail).toContain('Node agents of this cluster still report');
    expect(command).toBe(
      'kubectl -n monitoring get deployment,pods,lease -l app.kubernetes.io/component=cluster-collector',
    );
  });

  it('that is silent with its node agents may be down as a whole', () => {
    for (const nodeAgentsSeenAt of [null, ago(130)])
      expect(collectorStatus(state({ lastSeenAt: ago(140), nodeAgentsSeenAt }), NOW).detail).toContain('is down');
  });

  it('has no leader while a replica says so, until one leads again', () => {
    const silent = state({ lastSeenAt: ago(140), standby: { at: ago(30), lease } });
    const status = collectorStatus(silent, NOW);
    expect(status).toMatchObject({ state: 'no_leader', detail: lease.detail });
    expect(status.command).toContain('kubectl -n monitoring create role');
    expect(collectorStatus({ ...silent, standby: { at: ago(200), lease } }, NOW).state).toBe('silent');
    expect(collectorStatus({ ...silent, lastSeenAt: ago(10) }, NOW).state).toBe('reporting');
  });
});
