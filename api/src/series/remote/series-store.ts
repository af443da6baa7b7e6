import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import { printableText } from '@plimsoll/contract/rules/printable-text';
import { z } from 'zod';
import { egressRequest, EgressError, type EgressAnswer } from '../../egress.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { bucketOf, CHART_FIGURES, type BucketOf, type Chart } from '../chart-buckets.ts';
import type { RolledUpFigure } from '../rolled-up-figures.ts';
import type { SeriesStore } from '../store.ts';
import type { Band, SeriesQuery } from '../types.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { CLOSED_LEFT_PROBE, selector, stretchFrom } from './promql.ts';
import { REPORTED, shippedName } from './shipped-figures.ts';
import { SamplesRefused, StoreUnavailable } from './types.ts';
import { writeRequest } from './write-request.ts';

/** The addresses of a Prometheus-compatible store; `{tenant}` in a URL stands for the tenant. */
export interface SeriesStoreSettings {
  /** Takes remote write. */
  writeUrl: string;
  /** Before /api/v1/query. */
  readUrl: string;
  /** The address of the call that deletes series; null: this store has none. */
  deleteUrl: string | null;
  /** Header with the tenant; null: none. */
  tenantHeader: string | null;
  token: string | null;
}

/** Place of the tenant in a URL. */
const TENANT = '{tenant}';

/** VictoriaMetrics finds nothing in a range of 100 years. */
const EVER = '[10y]';
const MOST_ANSWER_BYTES = 64 * 2 ** 20;
/** A chart does not wait longer: it says that this part of it is not available. */
const CHART_TIMEOUT_MS = 4000;
const TIMEOUT_MS = 30_000;
/** Characters of an answer that are shown. */
const DETAIL_CHARACTERS = 300;

/** [s, text of the value] */
const point = z.tuple([z.number(), z.string()]);
const labels = z.record(z.string(), z.string());
const vectorAnswer = z.object({ data: z.object({ result: z.array(z.object({ metric: labels, value: point })) }) });
const matrixAnswer = z.object({
  data: z.object({ result: z.array(z.object({ metric: labels, values: z.array(point) })) }),
});

/** The store read the request and refuses its content; any other failure may pass by itself. */
const REFUSALS = new Set([400, 413, 422]);

const textOf = ({ status, body }: EgressAnswer): string =>
  `${String(status)} ${printableText(body.toString('utf8').replace(/\s+/g, ' ').trim(), DETAIL_CHARACTERS)}`.trim();

type Query = Record<string, string>;

/** Talks to the store. */
class Connection {
  readonly #settings: SeriesStoreSettings;
  constructor(settings: SeriesStoreSettings) {
    this.#settings = settings;
  }

  async write(tenant: number, body: Uint8Array): Promise<void> {
    const answer = await this.#send(tenant, this.#settings.writeUrl, body, {
      'content-encoding': 'snappy',
      'content-type': 'application/x-protobuf',
      'x-prometheus-remote-write-version': '0.1.0',
    });
    if (REFUSALS.has(answer.status)) throw new SamplesRefused(textOf(answer));
    requireSuccess(answer);
  }

  async read<T>(tenant: number, path: 'query' | 'query_range', query: Query, schema: z.ZodType<T>, ms = TIMEOUT_MS) {
    // A late sample does not appear in a range that VictoriaMetrics has in its cache.
    const form = new URLSearchParams({ ...query, nocache: '1' }).toString();
    const answer = await this.#form(tenant, `${this.#settings.readUrl.replace(/\/+$/, '')}/api/v1/${path}`, form, ms);
    requireSuccess(answer);
    const parsed = schema.safeParse(parseJson(answer.body));
    if (!parsed.success) throw new StoreUnavailable('the answer is not one of the Prometheus API');
    return parsed.data;
  }

  async delete(tenant: number, url: string, match: string): Promise<void> {
    requireSuccess(await this.#form(tenant, url, new URLSearchParams({ 'match[]': match }).toString(), TIMEOUT_MS));
  }

  #form(tenant: number, url: string, form: string, timeoutMs: number): Promise<EgressAnswer> {
    return this.#send(tenant, url, form, { 'content-type': 'application/x-www-form-urlencoded' }, timeoutMs);
  }

  async #send(
    tenant: number,
    url: string,
    body: string | Uint8Array,
    headers: Record<string, string>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<EgressAnswer> {
    const { tenantHeader, token } = this.#settings;
    try {
      return await egressRequest(url.replaceAll(TENANT, String(tenant)), {
        method: 'POST',
        body,
        timeoutMs,
        maxBytes: MOST_ANSWER_BYTES,
        // The operator set the URL.
        allowPrivate: true,
        headers: {
          ...headers,
          ...(tenantHeader !== null && { [tenantHeader]: String(tenant) }),
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
      });
    } catch (error) {
      if (error instanceof EgressError) throw new StoreUnavailable(error.message);
      throw error;
    }
  }
}

function requireSuccess(answer: EgressAnswer): void {
  if (answer.status < 200 || answer.status > 299) throw new StoreUnavailable(textOf(answer));
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

const STATISTICS = ['avg', 'min', 'max'] as const;
type Statistic = (typeof STATISTICS)[number] | 'count';
/** Values by statistic, figure and start of the bucket in ms. */
type Values = Map<string, number>;
const keyOf = (statistic: Statistic, figure: string, at: number): string => `${statistic} ${figure} ${String(at)}`;

/** One query for each statistic; the store computes them side by side. */
function chartQueries(serverId: string, figures: readonly RolledUpFigure[], range: string) {
  const named = (chosen: readonly RolledUpFigure[]) => chosen.map(({ expression }) => shippedName(expression));
  const bands = named(figures.filter(({ keeps }) => keeps === 'band'));
  const asked: [Statistic, string[]][] = [
    ['avg', named(figures)],
    ['min', bands],
    ['max', bands],
    ['count', [REPORTED]],
  ];
  return asked.map(([statistic, names]) => ({
    statistic,
    query: `${statistic}_over_time(${selector(serverId, names)}${range})`,
  }));
}

/** Rounds as PostgreSQL does for the same figure: a half to the even neighbour. */
const wholeNumber = (value: number): number => {
  const up = Math.round(value);
  return up - value === 0.5 && up % 2 !== 0 ? up - 1 : up;
};

const bandOf = (values: Values, figure: RolledUpFigure, at: number): Band | number | null => {
  const [avg, min, max] = STATISTICS.map(
    (statistic) => values.get(keyOf(statistic, shippedName(figure.expression), at)) ?? null,
  );
  if (figure.keeps === 'mean') return avg == null ? null : wholeNumber(avg);
  return { avg: avg ?? null, min: min ?? null, max: max ?? null };
};

export function createSeriesStore(settings: SeriesStoreSettings, clock: Clock = systemClock): SeriesStore {
  const connection = new Connection(settings);
  const charts = new CircuitBreaker(clock);
  const vector = async (tenant: number, query: string, time: number, ms = TIMEOUT_MS) => {
    const answer = await connection.read(tenant, 'query', { query, time: String(time) }, vectorAnswer, ms);
    return answer.data.result.map(({ metric, value: [, text] }) => ({ metric, value: Number(text) }));
  };
  let isClosedLeft: boolean | null = null;
  /** Found once: it depends on the version of the store. */
  const edge = async (tenant: number, ms = TIMEOUT_MS): Promise<boolean> => {
    if (isClosedLeft === null) {
      const [found] = await vector(tenant, CLOSED_LEFT_PROBE.query, CLOSED_LEFT_PROBE.time, ms);
      isClosedLeft = found?.value === CLOSED_LEFT_PROBE.closed;
    }
    return isClosedLeft;
  };
  const readSeries = async <C extends Chart>(
    chart: C,
    { tenant, serverId }: { tenant: number; serverId: string },
    { from, to, bucketSeconds }: SeriesQuery,
  ): Promise<BucketOf[C][]> => {
    const width = bucketSeconds * 1000;
    const { range, time: start } = stretchFrom(from, width, await edge(tenant, CHART_TIMEOUT_MS));
    const steps = { start: String(start), end: String((to - 1) / 1000), step: String(bucketSeconds) };
    const values: Values = new Map();
    const read = async ({ statistic, query }: ReturnType<typeof chartQueries>[number]): Promise<void> => {
      const asked = { query, ...steps };
      const { data } = await connection.read(tenant, 'query_range', asked, matrixAnswer, CHART_TIMEOUT_MS);
      for (const { metric, values: points } of data.result)
        for (const [seconds, text] of points)
          values.set(keyOf(statistic, metric['figure'] ?? '', Math.round(seconds * 1000) + 1 - width), Number(text));
    };
    await Promise.all(chartQueries(serverId, CHART_FIGURES[chart], range).map(read));
    const buckets = Array.from({ length: Math.ceil((to - from) / width) }, (_, index) => from + index * width);
    return buckets.flatMap((at) => {
      const count = values.get(keyOf('count', REPORTED, at));
      if (count === undefined) return [];
      return [bucketOf(chart, { at, count, servers: 1 }, (figure) => bandOf(values, figure, at))];
    });
  };
  const { deleteUrl } = settings;
  return {
    isShared: settings.tenantHeader === null && !settings.writeUrl.includes(TENANT),
    append: async (tenant, samples) => {
      if (samples.length === 0) return;
      // Loaded here: most installations have no such store.
      const { default: snappy } = await import('snappyjs');
      await connection.write(tenant, snappy.compress(writeRequest(samples)));
    },
    counts: async (tenant, hour) => {
      const { range, time } = stretchFrom(hour, HOUR_MS, await edge(tenant));
      const found = await vector(tenant, `sum by (server) (count_over_time(${selector(null)}${range}))`, time);
      return new Map(found.map(({ metric, value }) => [metric['server'] ?? '', value]));
    },
    times: async (tenant, serverId, hour) => {
      const { range, time } = stretchFrom(hour, HOUR_MS, await edge(tenant));
      const query = { query: `${selector(serverId)}${range}`, time: String(time) };
      const answer = await connection.read(tenant, 'query', query, matrixAnswer);
      return new Map(
        answer.data.result.map(({ metric, values }) => [
          metric['figure'] ?? '',
          new Set(values.map(([seconds]) => Math.round(seconds * 1000))),
        ]),
      );
    },
    series: (chart, of, query) => charts.run(() => readSeries(chart, of, query)),
    drop: deleteUrl === null ? null : (tenant, serverId) => connection.delete(tenant, deleteUrl, selector(serverId)),
    holds: async (tenant, serverId, now) => {
      const found = await vector(tenant, `count(count_over_time(${selector(serverId)}${EVER}))`, now / 1000);
      return found.length > 0;
    },
    ping: async () => {
      await vector(0, 'vector(1)', CLOSED_LEFT_PROBE.time);
    },
  };
}
