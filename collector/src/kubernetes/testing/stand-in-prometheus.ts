import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answered {
  status: number;
  body: string;
  headers?: Record<string, string>;
}
/** Values of an expression at the given moments, as the text Prometheus writes. */
export type Answerer = (expression: string, times: number[]) => { metric: object; values: [number, string][] }[];

/** Speaks the HTTP API of Prometheus, and fails the way it and what stands before it do. */
export class StandInPrometheus {
  readonly seen: { path: string; expression: string | null; authorization: string | undefined }[] = [];
  /** Instead of an answer, as long as it is set; "silence": none comes. */
  fault: Answered | 'silence' | null = null;
  /** Text of /metrics; null: 404. */
  metrics: string | null = null;
  /** Null: there is no query API, only /metrics. */
  answerer: Answerer | null = () => [];
  readonly #server: Server = createServer((request, answer) => {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    const expression = url.searchParams.get('query');
    this.seen.push({ path: url.pathname, expression, authorization: request.headers.authorization });
    if (this.fault === 'silence') return;
    const { status, body, headers = {} } = this.fault ?? this.#answerTo(url, expression);
    answer.writeHead(status, headers).end(body);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answerTo({ pathname, searchParams }: URL, expression: string | null): Answered {
    if (pathname === '/metrics' && this.metrics !== null) return { status: 200, body: this.metrics };
    const isRange = pathname === '/api/v1/query_range';
    if (this.answerer === null || expression === null || (!isRange && pathname !== '/api/v1/query'))
      return { status: 404, body: '404 page not found' };
    const [from, to, step] = ['start', 'end', 'step'].map((name) => Number(searchParams.get(name))) as [
      number,
      number,
      number,
    ];
    const times = isRange ? Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step) : [0];
    const series = this.answerer(expression, times).filter(({ values }) => values.length > 0);
    const result = isRange ? series : series.map(({ metric, values }) => ({ metric, value: values[0] }));
    const data = { resultType: isRange ? 'matrix' : 'vector', result };
    return { status: 200, body: JSON.stringify({ status: 'success', data }) };
  }
}
