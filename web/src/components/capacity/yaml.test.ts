import { expect, test } from 'vitest';
import { allYaml, workloadYaml } from './yaml.ts';

const sized = (advice: number | null) => ({ request: null, limit: null, p95: null, max: null, advice, histogram: [] });
const row = (container: string, cpu: number | null, memory: number | null, name = 'api') => ({
  namespace: 'shop',
  kind: 'Deployment',
  name,
  container,
  cpu_cores: sized(cpu),
  memory_bytes: sized(memory),
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
