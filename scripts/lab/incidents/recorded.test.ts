import { describe, expect, it } from 'vitest';
import type { ChangeSeen, Evidence } from '../../../api/src/causes/evidence.ts';
import type { Recording } from './record.ts';
import { readRecordings, scoreNow } from './replay.ts';

/** Evidence of real runs of the incident lab (`npm run incidents`): the analyser may not become worse at any of them. */
describe('recorded runs', () => {
  const recordings = readRecordings();

  it('are there', () => {
    expect(recordings.length).toBeGreaterThan(0);
  });

  it.each(recordings)('$incident keeps its score', (recording) => {
    expect(scoreNow(recording)).toBeGreaterThanOrEqual(recording.score);
  });

  it.each(recordings)('$incident keeps its score beside harmless changes', (recording) => {
    const evidence = recording.evidence.map((one) => besideChanges(one, recording.namespace));
    expect(scoreNow({ ...recording, evidence })).toBeGreaterThanOrEqual(recording.score);
  });
});

/** Adds changes of twelve minutes before the first alert that have nothing to do with it. */
function besideChanges(evidence: Recording['evidence'][number], namespace: string | null): typeof evidence {
  const { alerts, changes, objects, servers } = evidence as unknown as Evidence;
  const at = Math.min(...alerts.map((alert) => alert.at)) - 12 * 60;
  const clusterId = objects[0]?.clusterId ?? null;
  const server = servers[0];
  const change = (of: Pick<ChangeSeen, 'kind' | 'name'> & Partial<ChangeSeen>): ChangeSeen => ({
    id: `harmless ${of.kind}`,
    at,
    source: namespace === null ? 'host' : 'cluster',
    action: 'changed',
    namespace,
    title: of.name,
    by: null,
    clusterId: namespace === null ? null : clusterId,
    serverId: namespace === null ? (server?.serverId ?? null) : null,
    hostname: null,
    fields: [],
    ...of,
  });
  const ofCluster = [
    change({ kind: 'Service', name: 'legacy', action: 'gone' }),
    change({ kind: 'NetworkPolicy', name: 'unused', action: 'added' }),
    change({
      kind: 'ConfigMap',
      name: 'banner',
      fields: [{ field: 'data.text', was: 'changed', before: null, after: null }],
    }),
    change({ kind: 'ConfigMap', name: 'old-banner', action: 'gone', id: 'harmless deletion' }),
  ];
  const ofHost = [
    change({ kind: 'packages', name: 'curl 8.5.0 → 8.5.1' }),
    change({ kind: 'files', name: '/etc/cron.d/cleanup changed' }),
    change({ kind: 'sysctls', name: 'vm.swappiness 60 → 10' }),
  ];
  return { ...evidence, changes: [...changes, ...(namespace === null ? ofHost : ofCluster)] };
}
