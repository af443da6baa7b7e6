import type { V1Pod } from '@kubernetes/client-node';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Amounts } from './figures.ts';
import { effectiveLimits, effectiveRequests } from './pod-resources.ts';

/** Random pods, and what k8s.io/component-helpers 0.34.4 computes of them: scripts/lab/pod-resources writes the file. */
const RECORDED = join(import.meta.dirname, '../../../fixtures/kubernetes/pod-resources.jsonl.gz');
interface Recorded extends V1Pod {
  requests: Amounts;
  limits: Amounts;
}
const pods = gunzipSync(readFileSync(RECORDED))
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);
const KEYS = ['cpu_cores', 'memory_bytes'] as const;
/** Quantities are sums of decimals: the last digits of a double may differ. */
const isClose = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

test('requests of 2,000 random pods are those that Kubernetes computes', () => {
  expect(pods).toHaveLength(2000);
  const differing = pods.filter((pod) => {
    const requests = effectiveRequests(pod);
    return KEYS.some((key) => !isClose(requests[key], pod.requests[key]));
  });
  expect(differing).toEqual([]);
});

test('limits are those that Kubernetes computes, or none where a container runs without one', () => {
  const NAMES = { cpu_cores: 'cpu', memory_bytes: 'memory' } as const;
  const unlimited = { cpu_cores: 0, memory_bytes: 0 };
  const differing = pods.filter((pod) => {
    const limits = effectiveLimits(pod);
    return KEYS.some((key) => {
      if (limits[key] !== null) return !isClose(limits[key], pod.limits[key]);
      unlimited[key] += 1;
      const long = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
      const isBounded = (resources: { limits?: Record<string, string> } | undefined) =>
        resources?.limits?.[NAMES[key]] !== undefined;
      return isBounded(pod.spec?.resources) || long.every(({ resources }) => isBounded(resources));
    });
  });
  expect(differing).toEqual([]);
  for (const key of KEYS) expect(unlimited[key]).toBeLessThan(pods.length);
});
