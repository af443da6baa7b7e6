// Needs helm and the Go module proxy, and no cluster.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { chooseEngine } from '../../cluster/choose-engine.ts';
import type { Engine } from '../../cluster/engine.ts';
import { capture } from '../../cluster/shell.ts';
import { ROOT } from '../../lib/web-build.ts';
import { compiledTool } from '../../release/tools.ts';
import { foreignSchemas, KUBERNETES_VERSIONS, kubernetesSchemas, schemaLocation } from './schemas.ts';

const CHART = join(ROOT, 'charts/plimsoll');
const scenarios = globSync('*-values.yaml', { cwd: join(CHART, 'ci') }).toSorted();

let kubeconform: string;
let engine: Engine;
beforeAll(async () => {
  kubeconform = await compiledTool('kubeconform');
  engine = await chooseEngine();
  await engine.bringTools();
}, 1_200_000);

interface Summary {
  resources?: { kind: string; name: string; status: string; msg: string }[];
  summary: { valid: number; invalid: number; errors: number; skipped: number };
}

/** Says what kubeconform finds in objects, with the schemas of one Kubernetes version. Nothing is left out. */
function check(objects: string, version: string): Summary {
  const locations = [kubernetesSchemas(version), ...foreignSchemas()].flatMap((folder) => [
    '-schema-location',
    schemaLocation(folder),
  ]);
  const words = [kubeconform, '-strict', '-summary', '-output', 'json', ...locations];
  // Its exit status is 1 for an invalid object, which its answer names.
  return JSON.parse(capture('sh', ['-c', '"$@" || true', 'sh', ...words], { input: objects })) as Summary;
}

const rendered = (scenario: string, version: string): string => {
  const files = ['full-values.yaml', scenario].flatMap((file) => ['-f', join(CHART, 'ci', file)]);
  const words = ['template', 'plimsoll', CHART, '--namespace', 'plimsoll-system', '--kube-version', version];
  return capture('helm', [...words, ...files], { env: engine.env });
};

test('there are values to render', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(6);
});

test.each(KUBERNETES_VERSIONS)(
  'the schemas of Kubernetes %s have every object and every field of the chart',
  (version) => {
    for (const scenario of scenarios) {
      const { resources = [], summary } = check(rendered(scenario, version), version);
      const refused = resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
      expect([scenario, refused, summary]).toEqual([
        scenario,
        [],
        { valid: expect.any(Number), invalid: 0, errors: 0, skipped: 0 },
      ]);
      expect(summary.valid).toBeGreaterThan(20);
    }
  },
  300_000,
);

test('an object of a later version and a field that nobody knows are found', () => {
  const later = rendered('full-values.yaml', '1.34.4');
  const kinds = check(later, '1.19.16').resources?.map(({ kind }) => kind) ?? [];
  expect(kinds).toContain('PodDisruptionBudget');
  const misspelt = later.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem');
  expect(JSON.stringify(check(misspelt, '1.34.4').resources)).toContain('readonlyRootFilesystem');
}, 300_000);
