import type { CollectorStatus, Permission } from '@plimsoll/contract/wire/kubernetes';
import { describe, expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { ClusterNotices } from './cluster-notices.tsx';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const COLLECTOR: CollectorStatus = {
  cluster_id: 'c-1',
  cluster_name: 'prod-fra',
  state: 'reporting',
  last_seen_at: minutesAgo(0),
  age_seconds: 10,
  node_agents_age_seconds: 10,
  detail: null,
  remedy: null,
  command: null,
};
const COMMAND = 'kubectl -n plimsoll-system get deployment,pods,lease -l app.kubernetes.io/component=cluster-collector';
const SILENT: CollectorStatus = {
  ...COLLECTOR,
  cluster_id: 'c-2',
  cluster_name: 'prod-iad',
  state: 'silent',
  last_seen_at: minutesAgo(12),
  age_seconds: 720,
  detail: 'Node agents of this cluster still report: the cluster runs.',
  remedy: 'Look at the pods of the cluster collector.',
  command: COMMAND,
};
const PROBLEM: Permission = {
  cluster_id: 'c-1',
  who: 'cluster collector',
  reader: 'events',
  state: 'forbidden',
  detail: 'forbidden: needs events list,watch',
  needs: 'list,watch events',
  costs: 'Events and warnings',
  since: minutesAgo(5),
  remedy: 'Grant the right, or set rbac.create=true in the chart.',
  command: 'kubectl create clusterrole plimsoll-grant-events --verb=list,watch --resource=events',
};

describe('notices above the Kubernetes screens', () => {
  it('are absent while everything reports', async () => {
    const screen = await draw(<ClusterNotices collectors={[COLLECTOR]} problems={[]} />);
    expect(screen.container.textContent).toBe('');
  });

  it('name the silent one of two clusters, its age and the line that shows why', async () => {
    const screen = await draw(<ClusterNotices collectors={[SILENT, COLLECTOR]} problems={[]} />);
    const words = screen.getByRole('alert').element().textContent;
    expect(words).toMatch(/^The cluster collector of prod-iad last reported 1\d min ago\./);
    expect(words).toContain('Node agents of this cluster still report');
    expect(words).toContain(COMMAND);
    await expect.element(screen.getByRole('button', { name: 'Copy command' })).toBeVisible();
    expect(screen.getByRole('alert').elements()).toHaveLength(1);
  });

  it('name the object that was refused, and its field', async () => {
    const detail = 'shop/api-1: phase: must be one of Running, Pending';
    const refused: Permission = { ...PROBLEM, reader: 'pods', state: 'incomplete', detail, command: null };
    const screen = await draw(<ClusterNotices collectors={[COLLECTOR]} problems={[refused]} />);
    const summary = screen.getByText('1 source fails: pods incomplete');
    await summary.click();
    await expect.element(screen.getByText(detail)).toBeVisible();
  });

  it('say that no replica leads, and why', async () => {
    const status = { ...SILENT, state: 'no_leader' as const, detail: 'forbidden: needs leases get' };
    const screen = await draw(<ClusterNotices collectors={[status]} problems={[]} />);
    const words = screen.getByRole('alert').element().textContent;
    expect(words).toMatch(/^The cluster collector has lost its leader\. /);
    expect(words).toContain('forbidden: needs leases get');
  });

  it('fold the sources that fail; open, they show the kubectl line', async () => {
    const absent = { ...PROBLEM, reader: 'metrics.k8s.io', state: 'absent' as const, command: null };
    const screen = await draw(<ClusterNotices collectors={[COLLECTOR]} problems={[PROBLEM, absent]} />);
    const summary = screen.getByText('2 sources fail: events lacks a right, metrics.k8s.io not installed');
    await expect.element(screen.getByText(PROBLEM.command ?? '')).not.toBeVisible();
    await summary.click();
    await expect.element(screen.getByText(PROBLEM.command ?? '')).toBeVisible();
    await expect.element(screen.getByText('Missing: Events and warnings').first()).toBeVisible();
  });
});
