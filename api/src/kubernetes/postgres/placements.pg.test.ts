import { beforeEach, expect, it } from 'vitest';
import * as kube from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const { NOW, item, listing, podObject } = kube;
const SSD = { hash: 'aaaaaaaaaaaa', node_selector: { disk: 'ssd' } };
const GPU = { hash: 'bbbbbbbbbbbb', requests: { 'nvidia.com/gpu': 1 } };

describeEachPostgres('placement constraints of pods', (db) => {
  let cluster: kube.TestCluster;
  const write = (one: Parameters<kube.TestCluster['write']>[0]) =>
    db.storage().kubernetes.reports.write(cluster.clusterKey, one, NOW);
  const rows = (text: string): Promise<unknown[]> => db.sql(text, [cluster.clusterKey]);
  const sets = () => rows('SELECT hash, object FROM kube_placement WHERE cluster_key = $1 ORDER BY hash');
  const references = () =>
    rows('SELECT name, placement FROM kube_pod WHERE cluster_key = $1 AND gone_at IS NULL ORDER BY name');

  beforeEach(async () => {
    ({ cluster } = await kube.clusterOfItsOwn(db.storage()));
  });

  it('are stored once each, and pods refer to them', async () => {
    await write(
      item({
        placements: [SSD, SSD],
        pods: [
          podObject('a', { placement: SSD.hash }),
          podObject('b'),
          podObject('c', { placement: null, unknown_fields: ['placement: more than 8192 bytes'] }),
        ],
      }),
    );
    expect(await sets()).toEqual([{ hash: SSD.hash, object: SSD }]);
    expect(await references()).toEqual([
      { name: 'a', placement: SSD.hash },
      { name: 'b', placement: null },
      { name: 'c', placement: 'unknown' },
    ]);
  });

  it('stay while a pod has them, and go at the end of the first listing in which none has', async () => {
    await write(
      listing({
        placements: [SSD, GPU],
        pods: [podObject('a', { placement: SSD.hash }), podObject('b', { placement: GPU.hash })],
      }),
    );
    await write(item({ pods: [podObject('b')] }));
    expect(await sets()).toHaveLength(2);
    await write(listing({ placements: [SSD], pods: [podObject('a', { placement: SSD.hash }), podObject('b')] }));
    expect(await sets()).toEqual([{ hash: SSD.hash, object: SSD }]);
  });

  it('come from collectors that say so', async () => {
    const { collector, ...rest } = kube.envelope(cluster.clusterId);
    const flags = () => rows('SELECT reports_placements, reads_volumes FROM cluster WHERE key = $1');
    expect(await flags()).toEqual([{ reports_placements: false, reads_volumes: false }]);
    const newer = { ...rest, collector: { ...collector, reports_placements: true, reads_volumes: true } };
    await db.storage().kubernetes.reports.open(cluster.agent, newer, NOW + 1000);
    expect(await flags()).toEqual([{ reports_placements: true, reads_volumes: true }]);
  });
});
