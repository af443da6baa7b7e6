import type { CapacityCluster, CapacityLoss } from '@plimsoll/contract/wire/capacity';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adviceWords,
  autoscalerWords,
  bytesWords,
  clusterWords,
  coresFigure,
  coresWords,
  fitTone,
  moneyWords,
  nearestResource,
  podsWait,
  sizeWords,
  trendName,
  whoWords,
} from './capacity-words.ts';

const GB = 2 ** 30;

describe('an amount of CPU', () => {
  it.each([
    [0, '0'],
    [0.0002, '<0.001'],
    [0.001, '0.001'],
    [0.005, '0.005'],
    [0.025, '0.025'],
    [0.05, '0.05'],
    [0.1, '0.10'],
    [0.25, '0.25'],
    [1, '1'],
    [1.5, '1.50'],
    [10, '10'],
    [12.54, '12.5'],
    [99.94, '99.9'],
    [100, '100'],
    [1240.6, '1,241'],
  ])('of %d cores is written as %s', (cores, text) => expect(coresFigure(cores)).toBe(text));

  it('that somebody requests never reads as nought, and is off by half of its last place at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), (millicores) => {
        const cores = millicores / 1000;
        const shown = Number(coresFigure(cores)?.replaceAll(',', ''));
        expect(shown).toBeGreaterThan(0);
        // The advice beside it is a patch in millicores: a person must recognise its number.
        expect(Math.abs(shown - cores)).toBeLessThanOrEqual(
          cores < 0.1 ? 1e-9 : cores < 10 ? 0.0051 : cores < 100 ? 0.051 : 0.51,
        );
      }),
    );
  });

  it('has the unit of its number; what is not known has neither', () => {
    expect([0, 0.5, 1, 1.5, 2].map(coresWords)).toEqual(['0 cores', '0.50 cores', '1 core', '1.50 cores', '2 cores']);
    expect([coresFigure(null), coresWords(null), bytesWords(null)]).toEqual([null, null, null]);
  });
});

it('names what a size does not ask for', () => {
  expect(sizeWords({ cpu_cores: 0.005, memory_bytes: 64 * 2 ** 20 })).toBe('0.005 cores · 64 MB');
  expect(sizeWords({ cpu_cores: 0, memory_bytes: GB })).toBe('no CPU · 1 GB');
  expect(sizeWords({ cpu_cores: 1, memory_bytes: 0 })).toBe('1 core · no memory');
});

it('is near the end with room for ten pods or less, and over it with none', () => {
  expect([null, 11, 10, 1, 0].map(fitTone)).toEqual(['ok', 'ok', 'near', 'near', 'over']);
});

describe('who stays pending after the loss of a node', () => {
  const named = (name: string, pods: number) => ({ namespace: 'shop', kind: 'Deployment', name, pods, why: 'memory' });
  const words = (who: CapacityLoss['who'], pending: number | null) => whoWords({ who, pending } as CapacityLoss);

  it('is named, and those that the list has no room for are counted', () => {
    const who = [named('api', 3), named('indexer', 2)];
    expect(words(who, 5)).toBe('api 3, indexer 2');
    expect(words(who, 6)).toBe('api 3, indexer 2, 1 more');
    expect(words(who, 1205)).toBe('api 3, indexer 2, 1,200 more');
  });

  it('is nobody only if that is known', () => {
    expect(words([], 0)).toBe('nobody');
    expect(words([], null)).toBe('');
    expect(words([named('api', 3)], null)).toBe('api 3');
  });

  it('agrees with its verb', () => {
    expect([1, 2, 1200].map(podsWait)).toEqual([
      '1 pod stays pending',
      '2 pods stay pending',
      '1,200 pods stay pending',
    ]);
  });
});

describe('the resource that is nearest to its line', () => {
  type Resource = CapacityCluster['resources'][number];
  const resource = (name: Resource['resource'], requested: number | null, allocatable: number | null): Resource => ({
    resource: name,
    used: null,
    requested,
    allocatable,
    line_percent: 80,
  });

  it('has the largest share of requests, not the largest request', () => {
    const resources = [resource('cpu', 6, 8), resource('memory', 60 * GB, 64 * GB), resource('pods', 100, 220)];
    expect(nearestResource({ resources })).toBe('Memory requests are the nearest to their line.');
    expect(nearestResource({ resources: resources.toReversed() })).toBe(
      'Memory requests are the nearest to their line.',
    );
  });

  it('is none where requests or nodes are not known, or the nodes give nothing', () => {
    expect(nearestResource({ resources: [resource('disk', null, 10), resource('cpu', 1, null)] })).toBeNull();
    const resources = [resource('disk', 5, 0), resource('cpu', 0, 8)];
    expect(nearestResource({ resources })).toBe('CPU requests are the nearest to their line.');
  });
});

it('shortens the id of a cluster without a name', () => {
  const id = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11';
  expect(clusterWords({ cluster_name: 'prod-fra', cluster_id: id })).toBe('prod-fra');
  expect(clusterWords({ cluster_name: null, cluster_id: id })).toBe('7d0c1f6e');
  expect([trendName({ resource: 'cpu' }), trendName({ resource: 'memory' })]).toEqual(['CPU', 'memory']);
});

describe('an autoscaler', () => {
  const scaler = { name: 'web', resource: 'cpu' as const, utilization_percent: 70, now: 0.7, after: 0.28 };

  it('has the target of now before the one of afterwards, in the unit of its resource', () => {
    expect(autoscalerWords(scaler)).toBe(
      'HPA web scales at 70 % of the CPU request: its target moves from 0.70 cores to 0.28 cores.',
    );
    expect(autoscalerWords({ ...scaler, resource: 'memory', now: 2 * GB, after: GB })).toBe(
      'HPA web scales at 70 % of the memory request: its target moves from 2 GB to 1 GB.',
    );
  });

  it('whose metrics could not be read is a question to the reader', () => {
    const unread = { ...scaler, resource: null, utilization_percent: null, now: null, after: null };
    expect(autoscalerWords(unread)).toContain('could not be read. Check whether it scales by utilization.');
  });
});

it('says by which days and limits the advice is made', () => {
  const advice = { days: 1, memory_surplus_percent: 15, cpu_percentile: 95, cpu_limit: 'none' } as const;
  expect(adviceWords(advice)).toContain('the highest value of 1 day + 15 %');
  expect(adviceWords({ ...advice, days: 14 })).toContain('14 days + 15 %');
  expect(adviceWords(advice)).toMatch(/the p95 of the busiest day, without a limit\.$/);
  expect(adviceWords({ ...advice, cpu_limit: 'as_today' })).toMatch(/with the limit as today\.$/);
});

it('writes cents where they say something, of what is saved too', () => {
  expect([0.42, 99.99, 100, 1240.4].map((amount) => moneyWords(amount, 'EUR'))).toEqual([
    '0.42 EUR',
    '99.99 EUR',
    '100 EUR',
    '1,240 EUR',
  ]);
  expect([moneyWords(-12.5, 'USD'), moneyWords(-1240.4, 'USD')]).toEqual(['-12.50 USD', '-1,240 USD']);
  expect(moneyWords(null, 'EUR')).toBeNull();
});
