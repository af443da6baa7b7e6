import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { otlpJson, type SentResource } from '../../testing/otlp.ts';
import { snappy, writeRequestOne } from '../../testing/remote-write.ts';
import type { MetricsBody } from '../read-metrics.ts';

/**
 * What another agent sends of one machine, at two readings 60 seconds apart. `machine.txt` is the text format of
 * Prometheus with up to two values; a metric of one value is the same at both.
 *
 *     # rebuilt: SOURCE
 *     agent opentelemetry host.name=win01|os.type=windows      or: agent node_exporter
 *     system.network.io{device="Ethernet",direction="receive"} 1000 61000
 *     system.memory.limit 8589934592
 */
export interface RecordedMachine {
  /** Requests as they are on the wire, the first and the second. */
  bodies: (firstAt: number, secondAt: number) => readonly [MetricsBody, MetricsBody];
}

interface Line {
  name: string;
  labels: Record<string, string>;
  values: readonly number[];
}

const AGENT = /^agent (node_exporter|opentelemetry) ?(.*)$/;
const METRIC = /^([\w:.]+)(?:\{(.*)\})? (\S+)(?: (\S+))?$/;
const LABEL = /([\w.]+)="([^"]*)"/g;

export function readMachine(name: string): RecordedMachine {
  const lines = readFileSync(join(import.meta.dirname, 'machines', name, 'machine.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const [, agent, attributes = ''] = AGENT.exec(lines[0] ?? '') ?? [];
  if (agent === undefined) throw new Error(`${name}: the first line must name the agent`);
  const metrics = lines.slice(1).map(parseLine);
  const body = (at: number, which: 0 | 1): MetricsBody =>
    agent === 'node_exporter' ? remoteWrite(metrics, at, which) : otlp(attributes, metrics, at, which);
  return { bodies: (firstAt, secondAt) => [body(firstAt, 0), body(secondAt, 1)] };
}

function parseLine(line: string): Line {
  const [, name, labels = '', first, second] = METRIC.exec(line) ?? [];
  if (name === undefined || first === undefined) throw new Error(`no metric: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, key = '', value = '']): [string, string] => [key, value]);
  const values = second === undefined ? [Number(first)] : [Number(first), Number(second)];
  return { name, labels: Object.fromEntries(pairs), values };
}

const valueOf = ({ values }: Line, which: 0 | 1): number => values[which] ?? values[0] ?? 0;

function remoteWrite(metrics: readonly Line[], at: number, which: 0 | 1): MetricsBody {
  const series = metrics.map((line) => ({
    labels: { __name__: line.name, job: 'node', instance: 'machine:9100', ...line.labels },
    samples: [{ value: valueOf(line, which), at }],
  }));
  return { wire: Buffer.from(snappy(writeRequestOne(series))), protocol: 'remote-write-1', isGzip: false };
}

function otlp(attributes: string, metrics: readonly Line[], at: number, which: 0 | 1): MetricsBody {
  const pairs = attributes.split('|').map((pair): [string, string] => {
    const end = pair.indexOf('=');
    return [pair.slice(0, end), pair.slice(end + 1)];
  });
  const sent = [...Map.groupBy(metrics, ({ name }) => name)].map(([name, lines]): SentResource['metrics'][number] => ({
    name,
    temporality: lines.some(({ values }) => values.length > 1) ? 'cumulative' : 'current',
    points: lines.map((line) => ({ attributes: line.labels, value: valueOf(line, which), from: at - 3_600_000, at })),
  }));
  const body = JSON.stringify(otlpJson([{ attributes: Object.fromEntries(pairs), metrics: sent }]));
  return { wire: Buffer.from(body), protocol: 'otlp-json', isGzip: false };
}
