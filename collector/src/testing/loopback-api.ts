import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export interface Seen {
  path: string;
  token: string | undefined;
  body: Record<string, unknown>;
}
export interface Told {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A real server on the loopback address that answers as `answer` says and notes what it was asked. */
export async function serve(answer: (seen: Seen) => Told): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as Seen['body'];
      const one = { path: request.url ?? '', token: request.headers.authorization, body };
      seen.push(one);
      const { status, body: reply, headers } = answer(one);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** An address where nothing listens: no other test is ever given a port below 1024. */
export const NO_DASHBOARD = 'http://127.0.0.1:2';

export const SERVER_ID = '00000000-0000-4000-8000-000000000001';

/** Answers of a healthy dashboard. */
export function contract({ path, body }: Seen): Told {
  if (path.endsWith('/enrol')) {
    return { status: 200, body: { server_id: SERVER_ID, agent_token: 'plm_agent_secret', interval: 60 } };
  }
  if (path.endsWith('/bye')) return { status: 200, body: {} };
  const seqs = (body['reports'] as { seq: number }[]).map(({ seq }) => seq);
  const next = { interval: 60, delay: 0 };
  const ack = { upto: Math.max(...seqs), also: [] };
  return { status: 200, body: { ack, rejected: [], server_time: Date.now() / 1000, next, config_rev: 0 } };
}
