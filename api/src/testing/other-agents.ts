import { ReadingCollector } from '../external-metrics/collect-readings.ts';
import { Figures } from '../external-metrics/figures.ts';
import { collectHostMetrics, HOST_METRICS } from '../external-metrics/host-metrics.ts';
import { collectNodeExporter, NODE_EXPORTER } from '../external-metrics/node-exporter.ts';
import { readOtlpProtobuf } from '../external-metrics/otlp-protobuf.ts';
import { readWriteRequest } from '../external-metrics/remote-write.ts';
import { shapeReport, type ShapedReport } from '../external-metrics/shape/shape-report.ts';
import { otlpProtobuf } from './otlp.ts';
import { writeRequestOne } from './remote-write.ts';

const AT = 1_795_600_000_000;

function shape(into: ReadingCollector): ShapedReport['parts'] {
  const [reading] = into.finish().readings;
  const shaped = reading && shapeReport(new Figures(reading.values, [], []), reading.source);
  if (shaped == null) throw new Error('nothing of a report was sent');
  return shaped.parts;
}

/** Returns the report of one scrape of node_exporter in its text format, without comments. */
export function reportOfNodeExporter(text: string): ShapedReport['parts'] {
  const series = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line.trim()) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text_ = '']) => [label, text_]);
      return {
        labels: { __name__: name, job: 'node', instance: 'machine:9100', ...Object.fromEntries(pairs) },
        samples: [{ value: Number(value), at: AT }],
      };
    });
  const into = new ReadingCollector(AT, 60);
  collectNodeExporter(readWriteRequest(writeRequestOne(series), 1, NODE_EXPORTER), into);
  return shape(into);
}

/** A point of OpenTelemetry: the metric, its attributes and its value. */
export type SentPoint = readonly [metric: string, attributes: Record<string, string>, value: number];

/** Returns the report of one export of the host metrics receiver. */
export function reportOfOpenTelemetry(points: readonly SentPoint[]): ShapedReport['parts'] {
  const metrics = points.map(([name, attributes, value]) => ({
    name,
    temporality: 'cumulative' as const,
    points: [{ attributes, value, from: AT - 60_000, at: AT }],
  }));
  const into = new ReadingCollector(AT, 60);
  const sent = otlpProtobuf([{ attributes: { 'host.name': 'machine' }, metrics }]);
  collectHostMetrics(readOtlpProtobuf(sent, HOST_METRICS), into);
  return shape(into);
}
