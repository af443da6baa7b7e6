import { FIGURE_LIMITS, type ReaderState } from '@plimsoll/contract/rules/kubernetes-limits';
import { ApiError } from '../watch/api-error.ts';
import { Connection, readText } from '../watch/connection.ts';
import { readLines } from '../watch/lines.ts';
import { boundedNumber } from '@plimsoll/contract/rules/bounded-number';

/** One series of an answer; of an instant query it has one value. Times in epoch seconds, values are finite. */
export interface Series {
  labels: Readonly<Record<string, string>>;
  values: [time: number, value: number][];
}

/** Why Prometheus cannot be read; the message holds no text of its answer. */
export class PrometheusError extends Error {
  readonly state: ReaderState;

  constructor(state: ReaderState, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PrometheusError';
    this.state = state;
  }
}

/** Prometheus gives up on a query after 2 min by default; a report must not wait so long. */
const IDLE_MS = 10_000;
/** An hour of 10,000 pods is 5 MB. More would cost the collector its memory limit. */
const MOST_BYTES = 32 * 2 ** 20;

/** Asks the HTTP API of Prometheus (or of what speaks it: VictoriaMetrics, Thanos, Mimir). Throws PrometheusError. */
export class PrometheusApi {
  readonly #connection: Connection;
  readonly #idleMs: number;

  /** `url` with the path before `/api/v1`, if there is one; `token` is sent as a bearer. */
  constructor(
    url: string,
    token: (fresh: boolean) => Promise<string | null> = () => Promise.resolve(null),
    idleMs = IDLE_MS,
  ) {
    this.#idleMs = idleMs;
    this.#connection = new Connection({ server: url.replace(/\/+$/, ''), token });
  }

  /** The values of now. */
  query(expression: string, signal?: AbortSignal): Promise<Series[]> {
    return this.#ask(`/api/v1/query?${new URLSearchParams({ query: expression }).toString()}`, signal);
  }

  /** Values at `from`, `from` + `step` … `to`, each of them epoch seconds. */
  queryRange(
    expression: string,
    range: { from: number; to: number; step: number },
    signal?: AbortSignal,
  ): Promise<Series[]> {
    const { from, to, step } = range;
    const query = { query: expression, start: String(from), end: String(to), step: String(step) };
    return this.#ask(`/api/v1/query_range?${new URLSearchParams(query).toString()}`, signal);
  }

  /** `/metrics` line by line: of a large cluster it does not fit into memory. */
  async *metricLines(signal?: AbortSignal): AsyncGenerator<string> {
    try {
      const accept = 'text/plain;version=0.0.4';
      const answer = await this.#connection.open({ path: '/metrics', accept, ...this.#bounds(signal) });
      yield* readLines(answer);
    } catch (error) {
      throw errorOf(error);
    }
  }

  close(): void {
    this.#connection.close();
  }

  async #ask(path: string, signal: AbortSignal | undefined): Promise<Series[]> {
    let text: string;
    try {
      text = await readText(await this.#connection.open({ path, ...this.#bounds(signal) }), MOST_BYTES);
    } catch (error) {
      throw errorOf(error);
    }
    return parseAnswer(text);
  }

  #bounds(signal: AbortSignal | undefined): { idleMs: number; signal?: AbortSignal } {
    return { idleMs: this.#idleMs, ...(signal ? { signal } : {}) };
  }
}

function errorOf(error: unknown): PrometheusError {
  if (!(error instanceof ApiError)) return new PrometheusError('unreachable', 'the answer broke off', error);
  const { status, message } = error;
  const say = (state: ReaderState, words: string): PrometheusError =>
    new PrometheusError(state, status === 0 ? words : `${words} (status ${status})`, error);
  if (status === 0) return say('unreachable', message);
  if (status === 401) return say('forbidden', 'wants credentials: set prometheus.tokenSecret');
  if (status === 403) return say('forbidden', 'refuses our credentials');
  if (status === 404) return say('absent', 'no Prometheus API at this address');
  if (status < 400) return say('down', 'redirects elsewhere, which is not followed');
  // Passes on only the type of its error: bad_data, execution, timeout, unavailable …
  const kind = /"errorType":"([a-z_]{1,32})"/.exec(message)?.[1];
  return say('down', kind === undefined ? 'cannot answer' : `cannot answer: ${kind}`);
}

interface Answer {
  status?: unknown;
  data?: { resultType?: unknown; result?: unknown };
}
const unreadable = (cause?: unknown): PrometheusError =>
  new PrometheusError('down', 'what answers at this address is not Prometheus, or its answer is too large', cause);

function parseAnswer(text: string): Series[] {
  let answer: Answer | null;
  try {
    answer = JSON.parse(text) as Answer | null;
  } catch (error) {
    throw unreadable(error);
  }
  const { resultType, result } = answer?.data ?? {};
  const isKnown = resultType === 'vector' || resultType === 'matrix';
  if (answer?.status !== 'success' || !isKnown || !Array.isArray(result)) throw unreadable();
  return result.map((entry) => seriesOf(entry as RawSeries));
}

interface RawSeries {
  metric?: Record<string, string>;
  value?: [number, string];
  values?: [number, string][];
}
/** NaN and infinities are how Prometheus says "no value". */
function seriesOf({ metric = {}, value, values = value ? [value] : [] }: RawSeries): Series {
  const points = values.map(([time, text]): [number, number] => [time, Number(text)]);
  const isPoint = ([time, number]: [number, number]): boolean =>
    Number.isFinite(number) && boundedNumber(time, FIGURE_LIMITS.epochSeconds) !== null;
  return { labels: metric, values: points.filter(isPoint) };
}
