import { expect, test } from 'vitest';
import { recordingOf, trimEvidence } from './record.ts';
import { exampleRun } from './testing.ts';

const pod = (namespace: string | null, name = 'catalog') => ({ namespace, name });

test('objects of other shops are left out, those of the run, of the cluster and of other namespaces stay', () => {
  const evidence = { at: 5, pods: [pod('shop-101'), pod('shop-102'), pod(null), pod('kube-system')], servers: ['vm'] };
  expect(trimEvidence(evidence, 'shop-101', 'none')).toEqual({
    at: 5,
    pods: [pod('shop-101'), pod(null), pod('kube-system')],
    servers: ['vm'],
  });
  expect(trimEvidence(evidence, null, 'none')).toEqual(evidence);
  expect(trimEvidence(evidence, 'shop-101', 'all')).toEqual(evidence);
});

test('long lists become shorter until the recording fits, and lists of states never do', () => {
  const events = Array.from({ length: 2000 }, (_, index) => ({
    namespace: 'shop-101',
    message: `event ${String(index)}`,
  }));
  const pods = Array.from({ length: 900 }, (_, index) => pod('shop-101', `pod-${String(index)}`));
  const trimmed = trimEvidence({ events, pods }, 'shop-101', 'none');
  expect(JSON.stringify(trimmed).length).toBeLessThanOrEqual(60_000);
  expect(trimmed['pods']).toHaveLength(900);
  expect(trimmed['events']).toEqual(events.slice(0, (trimmed['events'] as unknown[]).length));
});

test('a run without evidence has no recording', () => {
  const said = { incidentId: 'a', title: '', openedAt: '', early: null, late: null };
  expect(recordingOf(exampleRun({ said: [{ ...said, evidence: null }] }), 'none')).toBeNull();
  expect(recordingOf(exampleRun({ said: [{ ...said, evidence: { evidence: { at: 1 } } }] }), 'none')?.evidence).toEqual(
    [{ at: 1 }],
  );
});

test('a neighbour that is not well can stay', () => {
  const pods = [
    { namespace: 'shop-102', ready: true },
    { namespace: 'shop-102', ready: false },
  ];
  const events = [
    { namespace: 'shop-102', type: 'Normal' },
    { namespace: 'shop-102', type: 'Warning' },
  ];
  expect(trimEvidence({ pods, events }, 'shop-101', 'unwell')).toEqual({ pods: [pods[1]], events: [events[1]] });
  expect(trimEvidence({ pods, events }, 'shop-101', 'none')).toEqual({ pods: [], events: [] });
});
