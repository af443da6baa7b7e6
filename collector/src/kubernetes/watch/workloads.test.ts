import { type WorkloadObject, workloadObject } from '@plimsoll/contract/wire/cluster-objects';
import { describe, expect, it } from 'vitest';
import type { Resource } from './reflector.ts';
import { type CapturedObject, capturedObject } from '../testing/captured.ts';
import { volumes } from './volumes.ts';
import { cronJobs, daemonSets, deployments, statefulSets } from './workloads.ts';

const burner = (): CapturedObject => capturedObject('workloads', 'burner');
const projectWith = (
  reader: Resource<WorkloadObject>,
  { spec = {}, status = {} }: { spec?: object; status?: object },
): WorkloadObject => workloadObject.parse(reader.project({ metadata: burner().metadata, spec, status }));

describe('replicated workloads', () => {
  it.each([
    ['Deployment', deployments],
    ['StatefulSet', statefulSets],
  ] as const)(
    '%s: one replica where none is named, none where zero are, none ready where nothing is told',
    (kind, reader) => {
      expect(projectWith(reader, {})).toMatchObject({
        kind,
        desired: 1,
        ready: 0,
        suspended: false,
        last_run_at: null,
      });
      expect(projectWith(reader, { spec: { replicas: 0 } }).desired).toBe(0);
      expect(projectWith(reader, { spec: { replicas: 5 }, status: { readyReplicas: 3 } })).toMatchObject({
        desired: 5,
        ready: 3,
      });
    },
  );

  it('a paused Deployment is suspended', () => {
    expect(projectWith(deployments, { spec: { paused: true } }).suspended).toBe(true);
  });

  it('a captured one that does not get ready', () => {
    expect(deployments.project(capturedObject('workloads', 'leaky'))).toMatchObject({
      name: 'leaky',
      desired: 1,
      ready: 0,
    });
  });
});

describe('workloads of other kinds', () => {
  it('a DaemonSet wants what its controller counted, and nobody knows before it did', () => {
    expect(projectWith(daemonSets, {})).toMatchObject({ kind: 'DaemonSet', desired: null, ready: null });
    const status = { desiredNumberScheduled: 7, numberReady: 0 };
    expect(projectWith(daemonSets, { status })).toMatchObject({ desired: 7, ready: 0 });
  });

  it('a CronJob has no replicas but a last run', () => {
    expect(projectWith(cronJobs, {})).toMatchObject({ kind: 'CronJob', desired: null, ready: null, last_run_at: null });
    const status = { lastScheduleTime: '2026-11-20T23:30:00Z' };
    expect(projectWith(cronJobs, { spec: { suspend: true }, status })).toMatchObject({
      suspended: true,
      last_run_at: Date.UTC(2026, 10, 20, 23, 30) / 1000,
    });
  });

  it.each([deployments, statefulSets, daemonSets, cronJobs])('$name: without a name it is none', (reader) => {
    expect(() => reader.project({ metadata: { uid: 'u', namespace: 'n' } })).toThrow('metadata.name is missing');
    expect(() => reader.project({})).toThrow('metadata.uid is missing');
  });
});

describe('volumes', () => {
  const metadata = { uid: 'u', namespace: 'n', name: 'data' };

  it('tell what was asked for and what was given', () => {
    const spec = { storageClassName: 'fast', resources: { requests: { storage: '10Gi' } } };
    expect(volumes.project({ metadata, spec, status: { phase: 'Bound', capacity: { storage: '16Gi' } } })).toEqual({
      ...metadata,
      phase: 'Bound',
      storage_class: 'fast',
      requested_bytes: 10 * 2 ** 30,
      capacity_bytes: 16 * 2 ** 30,
    });
  });

  it('that nobody gave yet have no capacity, not zero', () => {
    expect(volumes.project({ metadata, spec: {}, status: { phase: 'Pending' } })).toMatchObject({
      phase: 'Pending',
      capacity_bytes: null,
      requested_bytes: null,
      storage_class: null,
    });
    expect(volumes.project({ metadata })).toMatchObject({ phase: 'Unknown' });
  });
});
