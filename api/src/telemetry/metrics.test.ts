import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const text = (name: string): string => readFileSync(join(DOCS, name), 'utf8');

type Metric = MetricObjectWithValues<MetricValue<string>>;
interface Declared extends Metric {
  labelNames: string[];
}
/** The registry keeps the declared labels on the metric itself. */
const declared = async (): Promise<Declared[]> => {
  const { registry, expose } = createMetrics();
  await expose();
  return (await registry.getMetricsAsJSON()).map((metric) => ({
    ...metric,
    labelNames: [...((registry.getSingleMetric(metric.name) as unknown as { labelNames: string[] }).labelNames ?? [])],
  }));
};

/** The rules of `promtool check metrics` (prometheus/util/promlint), for what a registry of prom-client can violate. */
const problemsOf = ({ name, help, type }: Metric): string[] => {
  const problems: string[] = [];
  const isCounter = String(type) === 'counter';
  if (help.trim() === '') problems.push('has no help');
  if (isCounter !== name.endsWith('_total')) problems.push('_total is the end of counters only');
  if (/_(count|sum|bucket)$/.test(name)) problems.push('ends as a part of a histogram');
  if (/[a-z][A-Z]|:/.test(name)) problems.push('is not in snake case');
  if (/_(ms|milliseconds|microseconds|minutes|hours|days|kilobytes|kb|mb|gb|megabytes|percent)(_|$)/.test(name))
    problems.push('is not in base units');
  if (/_(gauge|counter|histogram|summary)(_|$)/.test(name)) problems.push('names its type');
  return problems;
};

test('every metric passes the rules of promtool check metrics', async () => {
  const metrics = await declared();
  expect(metrics.length).toBeGreaterThan(20);
  expect(metrics.flatMap((metric) => problemsOf(metric).map((problem) => `${metric.name} ${problem}`))).toEqual([]);
});

test('figures of the Node process are collected once somebody reads them, and not before', async () => {
  const { registry, expose } = createMetrics();
  const ofProcess = (): string[] =>
    registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('nodejs_'));
  expect(ofProcess()).toEqual([]);
  expect(await expose()).toMatch(/^nodejs_eventloop_lag_seconds /m);
  const names = ofProcess();
  expect(await expose()).toMatch(/^process_cpu_seconds_total /m);
  expect(ofProcess()).toEqual(names);
});

test('docs/metrics.md describes every metric of the API as it is declared', async () => {
  const rows = text('metrics.md')
    .split('\n')
    .filter((line) => /^\| `plimsoll_(?!cluster_|server_|kubernetes_)/.test(line));
  const expected = (await declared())
    .filter(({ name }) => name.startsWith('plimsoll_'))
    .map(({ name, type, labelNames, help }) => {
      const labels = labelNames.filter((label) => label !== 'le').map((label) => `\`${label}\``);
      return `| \`${name}\` | ${String(type)} | ${labels.join(', ') || '–'} | ${help} |`;
    });
  expect(rows).toEqual(expected.toSorted());
});

/** Names in PromQL; the parts of a histogram carry an end of their own. */
const namesIn = (source: string): string[] => [
  ...new Set(
    [...source.matchAll(/\b(?:plimsoll|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    ),
  ),
];

test.each(['monitoring/plimsoll-dashboard.json', 'monitoring/plimsoll-rules.yaml'])(
  '%s uses metrics that exist',
  async (file) => {
    const known = new Set((await declared()).map(({ name }) => name));
    const names = namesIn(text(file));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  },
);

test('the dashboard gives each panel a title, a unit and a query', () => {
  const { panels } = JSON.parse(text('monitoring/plimsoll-dashboard.json')) as {
    panels: {
      title: string;
      targets: { expr: string }[];
      fieldConfig: { defaults: { unit: string } };
    }[];
  };
  for (const { title, targets, fieldConfig } of panels) {
    expect(title).not.toBe('');
    expect(targets.every(({ expr }) => expr !== '')).toBe(true);
    expect(fieldConfig.defaults.unit).not.toBe('');
  }
});
