import { expect, test } from 'vitest';
import { recordingOf, trimEvidence } from './record.ts';
import { exampleRun } from './testing.ts';

const pod = (namespace: string | null, name = 'catalog') => ({ namespace, name });

test('objects of other shops are left out, those of the run, of the cluster and of other namespaces stay', () => {
  const evidence = { at: 5, pods: [pod('shop-101'), pod('shop-102'), pod(null), pod('kube-system')], servers: ['vm'] };
  expect(trimEvidence(evidence, 'shop-101')).toEqual({
    at: 5,
    pods: [pod('shop-101'), pod(null), pod('kube-system')],
    servers: ['vm'],
  });
  expect(trimEvidence(evidence, null)).toEqual(evidence);
});

test('long lists become shorter until the recording fits, and lists of states never do', () => {
  const events = Array.from({ length: 2000 }, (_, index) => ({
    namespace: 'shop-101',
    message: `event ${String(index)}`,
  }));
  const pods = Array.from({ length: 900 }, (_, index) => pod('shop-101', `pod-${String(index)}`));
  const trimmed = trimEvidence({ events, pods }, 'shop-101');
  expect(JSON.stringify(trimmed).length).toBeLessThanOrEqual(60_000);
  expect(trimmed['pods']).toHaveLength(900);
  expect(trimmed['events']).toEqual(events.slice(0, (trimmed['events'] as unknown[]).length));
});

test('a run without evidence has no recording', () => {
  const said = { incidentId: 'a', title: '', openedAt: '', early: null, late: null };
  expect(recordingOf(exampleRun({ said: [{ ...said, evidence: null }] }))).toBeNull();
  expect(recordingOf(exampleRun({ said: [{ ...said, evidence: { evidence: { at: 1 } } }] }))?.evidence).toEqual([
    { at: 1 },
  ]);
});
