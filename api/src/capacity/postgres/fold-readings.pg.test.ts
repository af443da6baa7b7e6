import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as kube from '../../testing/kubernetes.ts';
import { writeNode } from '../../testing/node-report.ts';
import { testStorage } from '../../testing/postgres.ts';
import { countOf, decodeHistogram, LEAST, quantile } from '../histogram.ts';
import { parseParts } from '../store.ts';

const db = testStorage();
const { item, nodeObject, podObject } = kube;
const NOW = Math.floor(kube.NOW / 86_400_000) * 86_400_000 + 12 * 3_600_000;
const MINUTE = 60_000;

describe('readings of containers', () => {
  let cluster: kube.TestCluster;
  let serverId: string;
  const plans = () => db.storage().capacityPlans;

  beforeEach(async () => {
    ({ cluster } = await kube.clusterOfItsOwn(db.storage()));
    const { reports } = db.storage().kubernetes;
    const requests = { cpu_cores: 1, memory_bytes: 2 ** 30 };
    const containers = [kube.container({ requests })];
    const pods = [
      podObject('web-1', { containers }),
      podObject('web-2', { containers }),
      podObject('bare', { owner: null }),
    ];
    await reports.write(cluster.clusterKey, item({ nodes: [nodeObject('node-1')], pods }), NOW);
    const node = { name: 'node-1', hostname: 'node-1', tokenHash: randomBytes(32) };
    serverId = (await reports.enrolNode(cluster.agent, node, NOW))?.serverId ?? '';
  });

  const report = async (at: number, cores: number): Promise<void> => {
    const part = kube.nodePart([podObject('web-1'), podObject('web-2'), podObject('bare')]);
    const containers = [{ name: 'app', cpu_cores: cores, memory_working_set_bytes: 2 ** 28 }];
    await writeNode(db, serverId, at, { ...part, pods: part.pods.map((pod) => ({ ...pod, containers })) });
  };
  const partsOf = async () => {
    const texts = await plans().readParts(cluster.clusterKey, NOW);
    if (texts === null) throw new Error('the cluster is gone');
    return parseParts(texts);
  };

  it('are added to one row for each container of a workload and day, and a second run adds nothing', async () => {
    for (let minute = 0; minute < 3; minute += 1) await report(NOW + minute * MINUTE, 0.5);
    await report(NOW - 86_400_000, 2);
    expect(await plans().foldReadings(NOW)).toBe(4);
    await report(NOW + 4 * MINUTE, 0.5);
    expect(await plans().foldReadings(NOW)).toBe(1);
    expect(await plans().foldReadings(NOW)).toBe(0);
    const { usage, specs } = await partsOf();
    expect(usage.map(({ namespace, kind, workload, container }) => [namespace, kind, workload, container])).toEqual([
      ['shop', 'Deployment', 'web', 'app'],
      ['shop', 'Deployment', 'web', 'app'],
    ]);
    const [before, today] = usage
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      .map(({ cpu }) => decodeHistogram(Buffer.from(cpu, 'base64')));
    expect([countOf(before ?? new Map()), countOf(today ?? new Map())]).toEqual([2, 8]);
    expect(quantile(today ?? new Map(), 0.95, LEAST.cpuCores)).toBeCloseTo(0.5, 1);
    expect(specs).toMatchObject([
      { workload: 'web', container: 'app', pods: 2, cpuRequest: 1, memoryRequest: 2 ** 30 },
    ]);
  });

  it('are deleted after 60 days, and OOM kills of 14 days are counted with their limit', async () => {
    await report(NOW - 61 * 86_400_000, 1);
    await plans().foldReadings(NOW);
    const pod = podObject('web-1');
    const ends = [kube.endOf(pod, 0, { at: NOW / 1000 - 60 }), kube.endOf(pod, 1, { at: NOW / 1000 - 20 * 86_400 })];
    await db.storage().kubernetes.reports.write(cluster.clusterKey, item({ ends }), NOW);
    const { usage, ooms } = await partsOf();
    expect(usage).toEqual([]);
    expect(ooms).toMatchObject([{ workload: 'web', container: 'app', kills: 1, limit: 2 ** 26 }]);
  });
});
