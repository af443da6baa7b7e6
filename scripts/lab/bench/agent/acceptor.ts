import type { CollectorCheck } from '@plimsoll/contract/wire/check-probes';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

const SERVER_ID = '00000000-0000-4000-8000-000000000001';

/** Numbers in a value and in all that it holds. */
const numbersIn = (value: unknown): number => {
  if (typeof value === 'number') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + numbersIn(part), 0);
};

interface Report {
  seq: number;
  check_results?: unknown[];
  agent?: { sources?: Record<string, { duration_ms: number }> };
}

interface Acceptor {
  port: number;
  count: () => number;
  /** Results of checks that came. */
  results: () => number;
  /** Numbers in the last report. */
  figures: () => number;
  /** Milliseconds that each source took, report by report. */
  durations: () => Map<string, number[]>;
  close: () => void;
}

/** An API that enrols, takes every report and counts them. It requests these checks of a collector that opted in. */
export async function acceptor(checks: readonly CollectorCheck[] = []): Promise<Acceptor> {
  let count = 0;
  let last: unknown = null;
  let results = 0;
  const config_rev = checks.length > 0 ? 1 : 0;
  const durations = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url?.endsWith('/config') === true) {
        response.end(JSON.stringify({ success: true, data: { config_rev: 1, checks } }));
        return;
      }
      const body = JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as { reports?: Report[] };
      const reports = body.reports ?? [];
      const also = reports.map(({ seq }) => seq);
      count += also.length;
      results += reports.reduce((sum, { check_results: own }) => sum + (own?.length ?? 0), 0);
      last = reports.at(-1) ?? last;
      for (const [name, { duration_ms: ms }] of reports.flatMap(({ agent }) => Object.entries(agent?.sources ?? {})))
        durations.set(name, [...(durations.get(name) ?? []), ms]);
      const next = { interval: 60, delay: 0 };
      const enrolled = { server_id: SERVER_ID, agent_token: 'bench', interval: 60 };
      const settled = { ack: { upto: 0, also }, rejected: [], server_time: Date.now() / 1000, next, config_rev };
      response.end(JSON.stringify(request.url?.endsWith('/enrol') === true ? enrolled : settled));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  return {
    port,
    count: () => count,
    results: () => results,
    figures: () => numbersIn(last),
    durations: () => durations,
    close,
  };
}
