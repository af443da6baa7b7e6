import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportItem } from '@plimsoll/contract/wire/report';
import { Figures } from './figures.ts';
import { readMetrics, type MetricsBody } from './read-metrics.ts';
import { shapeReport } from './shape/shape-report.ts';
import { readMachine } from './testing/machine.ts';
import type { MetricSource, Value } from './types.ts';

/** Reports of whole machines that send to the API by other agents, from the bytes on the wire to what is stored. */
const FOLDER = join(import.meta.dirname, 'testing/machines');
/** The begin of a report interval, in epoch milliseconds. */
const FIRST_AT = 1_795_000_020_000;
const SECOND_AT = FIRST_AT + 60_000;

interface Row extends MetricSource {
  reading_values: Value[];
}

function readingOf(body: MetricsBody, receivedAt: number): Row {
  const { items } = readMetrics({ ...body, receivedAt, reportIntervalSeconds: 60 });
  const [row] = JSON.parse(items[0]?.json ?? '[]') as Row[];
  if (row === undefined) throw new Error('the request has no reading');
  return row;
}

function reportOf(name: string): unknown {
  const [first, second] = readMachine(name).bodies(FIRST_AT, SECOND_AT);
  const [before, now] = [readingOf(first, FIRST_AT), readingOf(second, SECOND_AT)];
  const shaped = shapeReport(new Figures(now.reading_values, before.reading_values, []), now);
  const up = shaped?.bootedAt == null ? 0 : SECOND_AT / 1000 - shaped.bootedAt;
  const { agent, ...report } = reportItem.parse({ seq: 1, ts: SECOND_AT / 1000, up, kind: 'host', ...shaped?.parts });
  const notes = Object.entries(agent?.sources ?? {}).flatMap(([source, { error }]) =>
    error === null ? [] : [[source, error]],
  );
  return { report, notes: Object.fromEntries(notes) };
}

/** Rounds to four decimals, because thirds have no end. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? Math.round(one * 10_000) / 10_000 : one)),
  );

describe.each(readdirSync(FOLDER))('%s', (name) => {
  it('is stored as it is', () => {
    const expected: unknown = JSON.parse(readFileSync(join(FOLDER, name, 'expected.json'), 'utf8'));
    expect(rounded(reportOf(name))).toEqual(rounded(expected));
  });
});
