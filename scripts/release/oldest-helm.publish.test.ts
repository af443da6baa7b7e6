import { loadAll } from 'js-yaml';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../cluster/shell.ts';
import { compiledTool } from './tools.ts';

/** Helm 3.0.0 reads the chart and makes the objects that the newest Helm makes. */
const CHART = join(import.meta.dirname, '../../charts/plimsoll');
const scenarios = globSync('*-values.yaml', { cwd: join(CHART, 'ci') }).toSorted();
const BUILD_MS = 1_200_000;
/** It renders for this version and has no option for another, which the chart's own kubeVersion refuses. */
const KUBERNETES = '1.16.0';

let folder: string;
let chart: string;
let oldest: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-oldest-helm-'));
  chart = join(folder, 'plimsoll');
  cpSync(CHART, chart, { recursive: true });
  const about = join(chart, 'Chart.yaml');
  writeFileSync(about, readFileSync(about, 'utf8').replace(/^kubeVersion:.*$/m, ''));
  oldest = await compiledTool('oldest-helm');
}, BUILD_MS);
afterAll(() => rmSync(folder, { recursive: true }));

const run = (program: string, args: string[]): string => capture(program, args, { env: { HOME: folder } });
/** Values that Helm would else make up: a Secret without `lookup` would change with each upgrade. */
const GIVEN = ['--set', `token.value=plm_cluster_${'x'.repeat(43)},api.secretKey.existingSecret=key`];
function template(program: string, scenario: string, more: string[] = []): unknown[] {
  const values = ['-f', join(CHART, 'ci', scenario), ...GIVEN];
  const rendered = run(program, ['template', 'plimsoll', chart, '--namespace', 'plimsoll-system', ...values, ...more]);
  return (loadAll(rendered) as ({ kind: string; metadata: { name: string } } | null)[])
    .filter((object) => object !== null)
    .toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`, 'en'));
}

test('it is Helm 3.0', () => {
  expect(run(oldest, ['version', '--template', '{{ .Version }}'])).toMatch(/^v3\.0/);
});

test.each(scenarios)('%s: the same objects as from the newest Helm', (scenario) => {
  const objects = template(oldest, scenario);
  expect(objects.length).toBeGreaterThan(10);
  expect(objects).toEqual(template('helm', scenario, ['--kube-version', KUBERNETES]));
});

test('without a token it is refused, because Helm could not keep one', () => {
  const values = ['-f', join(CHART, 'ci/full-values.yaml')];
  expect(() => run(oldest, ['template', 'plimsoll', chart, ...values])).toThrow(
    'use Helm 3.3 or newer, or set token.value',
  );
});
