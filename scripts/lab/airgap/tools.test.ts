import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as published from '../../cluster/machine-engine.ts';
import { KUBE_STATE_METRICS_VERSION, METRICS_SERVER_VERSION, PROMETHEUS_VERSION, clusterTools } from './tools.ts';

const chart = join(import.meta.dirname, '../../../charts/plimsoll/values.yaml');
const pinned = (module: string): string => readFileSync(join(import.meta.dirname, 'tools', module, 'go.mod'), 'utf8');

test('what the chart brings is what the cluster lane runs, version by version', () => {
  const values = load(readFileSync(chart, 'utf8')) as Record<string, { image: { tag: string } }>;
  expect(values.prometheus?.image.tag).toBe(PROMETHEUS_VERSION);
  expect(values.kubeStateMetrics?.image.tag).toBe(KUBE_STATE_METRICS_VERSION);
});

test('a cluster from source runs the versions of the published images', () => {
  expect({ ...published }).toMatchObject({ KUBE_STATE_METRICS_VERSION, METRICS_SERVER_VERSION, PROMETHEUS_VERSION });
});

test('a version that a binary is told is the one its module is pinned to', () => {
  const [major = '', minor = '', patch = ''] = PROMETHEUS_VERSION.slice(1).split('.');
  const counted = `v0.${major}${minor.padStart(2, '0')}.${patch}`;
  expect(pinned('prometheus')).toContain(`github.com/prometheus/prometheus ${counted}\n`);
  expect(pinned('kube-state-metrics')).toContain(`k8s.io/kube-state-metrics/v2 ${KUBE_STATE_METRICS_VERSION}`);
});

test('every module names its tools, so that go.mod keeps what they need', () => {
  const missing = clusterTools.flatMap(({ module, binaries }) =>
    Object.keys(binaries).filter((path) => !pinned(module).includes(path)),
  );
  expect(missing).toEqual([]);
});
