import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movedTargets, readAutoscaler } from './autoscalers.ts';

const stored = { namespace: 'shop', name: 'api', target: 'Deployment/api' };
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } };
const sidecar = {
  type: 'ContainerResource',
  containerResource: { name: 'memory', container: 'proxy', target: { type: 'Utilization', averageUtilization: 50 } },
};
const read = (metrics: string | null, target = 'Deployment/api') => readAutoscaler({ ...stored, target, metrics });

describe('an autoscaler', () => {
  it.each([
    [[cpu], [{ resource: 'cpu', container: null, utilizationPercent: 70 }]],
    [[sidecar], [{ resource: 'memory', container: 'proxy', utilizationPercent: 50 }]],
    [[{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '500m' } } }], []],
    [[{ type: 'External', external: { metric: { name: 'queue' } } }], []],
    [[null, 7, 'x', { type: 'Resource' }, { resource: { name: 'gpu', target: { averageUtilization: 5 } } }], []],
  ])('with the metrics %j scales by %j', (metrics, targets) => {
    expect(read(JSON.stringify(metrics))).toMatchObject({ kind: 'Deployment', workload: 'api', targets });
  });

  it('whose metrics were cut says that they could not be read', () => {
    expect(read(JSON.stringify([cpu, sidecar]).slice(0, 60))?.targets).toBeNull();
    expect(read('{"not":"a list"}')?.targets).toBeNull();
    expect(
      movedTargets([{ ...stored, kind: 'Deployment', workload: 'api', targets: null }], 'app', SIZED, NOTHING),
    ).toEqual([{ name: 'api', resource: null, utilizationPercent: null, now: null, after: null }]);
  });

  it('without metrics or target moves nothing', () => {
    expect(read(null)?.targets).toEqual([]);
    expect(readAutoscaler({ ...stored, target: null, metrics: null })).toBeNull();
    expect(read(null, 'nonsense')).toBeNull();
  });

  it('never throws, whatever its text is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const targets = read(text)?.targets ?? [];
        expect(targets.every(({ utilizationPercent }) => utilizationPercent > 0)).toBe(true);
      }),
    );
  });
});

const NOTHING = { cpu: 0, memory: 0 };
const SIZED = { cpu: { request: 1, advice: 0.4 }, memory: { request: 100, advice: 100 } };
describe('a changed request', () => {
  const autoscaler = (container: string | null, resource: 'cpu' | 'memory' = 'cpu') => ({
    ...stored,
    kind: 'Deployment',
    workload: 'api',
    targets: [{ resource, container, utilizationPercent: 50 }],
  });
  it('moves the target in the same proportion', () => {
    expect(movedTargets([autoscaler(null)], 'app', SIZED, NOTHING)).toEqual([
      { name: 'api', resource: 'cpu', utilizationPercent: 50, now: 0.5, after: 0.2 },
    ]);
  });
  it('moves the target of a pod by the requests of all its containers', () => {
    const beside = { cpu: 0.5, memory: null };
    expect(movedTargets([autoscaler(null)], 'app', SIZED, beside)).toMatchObject([{ now: 0.75, after: 0.45 }]);
    expect(movedTargets([autoscaler('app')], 'app', SIZED, beside)).toMatchObject([{ now: 0.5, after: 0.2 }]);
    expect(movedTargets([autoscaler(null)], 'app', SIZED, { cpu: null, memory: 0 })).toEqual([]);
  });
  it('moves none of another container, of an equal request, or without one', () => {
    expect(movedTargets([autoscaler('proxy')], 'app', SIZED, NOTHING)).toEqual([]);
    expect(movedTargets([autoscaler('app')], 'app', SIZED, NOTHING)).toHaveLength(1);
    expect(movedTargets([autoscaler(null, 'memory')], 'app', SIZED, NOTHING)).toEqual([]);
    expect(movedTargets([autoscaler(null)], 'app', { ...SIZED, cpu: { request: null, advice: 1 } }, NOTHING)).toEqual(
      [],
    );
  });
});
