import { expect, test } from 'vitest';
import { allYaml, workloadYaml } from './yaml.ts';

const sized = (advice: number | null, limits: { limit?: number; limit_advice?: number } = {}) => ({
  request: null,
  limit: null,
  p95: null,
  max: null,
  limit_advice: null,
  histogram: [],
  advice,
  ...limits,
});
const row = (container: string, cpu: number | null, memory: number | null, name = 'api') => ({
  namespace: 'shop',
  kind: 'Deployment',
  name,
  container,
  cpu_cores: sized(cpu),
  memory_bytes: sized(memory, memory === null ? {} : { limit_advice: memory }),
  autoscalers: [],
  by_day: [],
});

test('the patch of a workload has its containers with advice, and no CPU limit', () => {
  expect(
    workloadYaml([row('app', 0.25, 576 * 2 ** 20), row('proxy', null, 64 * 2 ** 20), row('quiet', null, null)]),
  ).toBe(
    `apiVersion: apps/v1
kind: "Deployment"
metadata:
  name: api
  namespace: shop
spec:
  template:
    spec:
      containers:
        - name: app
          resources:
            requests:
              cpu: 250m
              memory: 576Mi
            limits:
              memory: 576Mi
        - name: proxy
          resources:
            requests:
              memory: 64Mi
            limits:
              memory: 64Mi
`,
  );
});

test('without advice there is no patch, and names that YAML reads otherwise are quoted', () => {
  expect(workloadYaml([row('app', null, null)])).toBe('');
  expect(workloadYaml([row('true', 1, null)])).toContain('- name: "true"');
  expect(
    allYaml([row('app', 1, null), row('app', 2, null, 'web'), row('app', null, null, 'none')]).split('---\n'),
  ).toHaveLength(2);
});

test('a CPU limit is kept as advised, or taken away: a patch keeps what it does not name', () => {
  const withLimit = (cpu: ReturnType<typeof sized>) => workloadYaml([{ ...row('app', 0.25, null), cpu_cores: cpu }]);
  expect(withLimit(sized(0.25, { limit: 1, limit_advice: 1 }))).toContain(
    '            limits:\n              cpu: 1000m\n',
  );
  expect(withLimit(sized(0.25, { limit: 1 }))).toContain('            limits:\n              cpu: null\n');
  expect(withLimit(sized(0.25))).not.toContain('limits');
});

test('names the autoscalers that the requests move, each once, on lines that YAML does not read', () => {
  const hpa = { name: 'api', resource: 'cpu' as const, utilization_percent: 70, now: 0.7, after: 0.175 };
  const unread = { name: 'x\nkind: Secret', resource: null, utilization_percent: null, now: null, after: null };
  const rows = ['app', 'proxy'].map((name) => ({ ...row(name, 0.25, null), autoscalers: [hpa, unread] }));
  const lines = workloadYaml(rows).split('\n');
  expect(lines[0]).toBe('# HPA api scales at 70 % of the CPU request: its target moves from 0.70 cores to 0.18 cores.');
  expect(lines[1]).toMatch(/^# HPA x.*kind: Secret has metrics that could not be read/);
  expect(lines[2]).toBe('apiVersion: apps/v1');
});
