import type { ContainerObject } from '@plimsoll/contract/wire/cluster-objects';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endsBetween } from './container-terminations.ts';
import type { ProjectedPod } from './pods.ts';

const NOW = 1_800_000_000;
const container = (parts: Partial<ContainerObject> = {}): ContainerObject => ({
  name: 'app',
  image: '',
  init: false,
  status: 'running',
  reason: null,
  ready: true,
  restart_count: 0,
  started_at: null,
  exit: null,
  last_termination: null,
  requests: { cpu_cores: null, memory_bytes: null },
  limits: { cpu_cores: null, memory_bytes: 1000 },
  ...parts,
});
const pod = (...containers: ContainerObject[]): ProjectedPod =>
  ({ uid: 'u', namespace: 'n', name: 'p', node_name: 'node', controller: null, containers }) as unknown as ProjectedPod;
const killed = { reason: 'OOMKilled', exit_code: 137, finished_at: NOW - 5 };
const runs = (before: ProjectedPod | null, after: ProjectedPod) =>
  endsBetween(before, after, NOW).map(({ run, restarted, reason }) => [run, restarted, reason]);

describe('endsBetween', () => {
  it('tells one restart with what ended the run', () => {
    const after = pod(container({ restart_count: 1, last_termination: killed }));
    expect(endsBetween(pod(container()), after, NOW)).toEqual([
      {
        pod_uid: 'u',
        namespace: 'n',
        pod_name: 'p',
        node_name: 'node',
        controller: null,
        container: 'app',
        memory_limit_bytes: 1000,
        run: 0,
        restarted: true,
        at: NOW - 5,
        reason: 'OOMKilled',
        exit_code: 137,
      },
    ]);
  });

  it('tells several at once; only the last is known by its reason', () => {
    const after = pod(container({ restart_count: 3, last_termination: killed }));
    expect(runs(pod(container()), after)).toEqual([
      [0, true, null],
      [1, true, null],
      [2, true, 'OOMKilled'],
    ]);
  });

  it('at first sight tells only what the state still shows', () => {
    expect(runs(null, pod(container({ restart_count: 9, last_termination: killed })))).toEqual([
      [8, true, 'OOMKilled'],
    ]);
    expect(runs(null, pod(container()))).toEqual([]);
  });

  it('at first sight leaves out an end without a time: it may be weeks old', () => {
    const lost = { reason: 'ContainerStatusUnknown', exit_code: 137, finished_at: null };
    const restarted = pod(container({ restart_count: 3 }));
    expect(runs(null, restarted)).toEqual([]);
    expect(runs(null, pod(container({ restart_count: 3, last_termination: lost })))).toEqual([]);
    const dead = pod(container({ status: 'terminated', exit: lost }));
    expect(runs(null, dead)).toEqual([]);
    expect(runs(pod(container({ restart_count: 2 })), restarted)).toEqual([[2, true, null]]);
    expect(endsBetween(pod(container()), dead, NOW)).toMatchObject([{ run: 0, restarted: false, at: NOW }]);
  });

  it('counts a kill that is never restarted, once', () => {
    const dead = pod(container({ status: 'terminated', exit: killed }));
    expect(runs(pod(container()), dead)).toEqual([[0, false, 'OOMKilled']]);
    expect(runs(dead, dead)).toEqual([]);
    const done = { ...killed, reason: 'Completed', exit_code: 0 };
    expect(runs(null, pod(container({ status: 'terminated', exit: done })))).toEqual([]);
    const childKilled = pod(container({ status: 'terminated', exit: { ...killed, exit_code: 0 } }));
    expect(runs(null, childKilled)).toEqual([[0, false, 'OOMKilled']]);
  });

  it('a run seen dying and then restarted keeps its number', () => {
    const dying = pod(container({ restart_count: 4, status: 'terminated', exit: killed }));
    const again = pod(container({ restart_count: 5, last_termination: killed }));
    expect(runs(pod(container({ restart_count: 4 })), dying)).toEqual([[4, false, 'OOMKilled']]);
    expect(runs(dying, again)).toEqual([[4, true, 'OOMKilled']]);
  });

  it('however the looks are spread over time, every run is told and none twice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 20 }), (steps) => {
        let count = 0;
        let before = pod(container());
        const told: number[] = [];
        for (const step of steps) {
          count += step;
          const after = pod(container({ restart_count: count, last_termination: count > 0 ? killed : null }));
          told.push(...endsBetween(before, after, NOW).map(({ run }) => run));
          before = after;
        }
        expect(told).toEqual(Array.from({ length: count }, (_, run) => run));
      }),
    );
  });

  it('a count that jumps beyond reason does not make a million facts', () => {
    const after = pod(container({ restart_count: 2_000_000_000 }));
    expect(endsBetween(pod(container()), after, NOW).length).toBeLessThanOrEqual(1001);
  });
});
