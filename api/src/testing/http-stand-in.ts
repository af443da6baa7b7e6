import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
interface StandInAnswer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}
export interface HttpStandIn {
  url: string;
  received: Received[];
  /** Answers from now on; null: never. */
  answer(next: ((request: Received) => StandInAnswer) | null): void;
  close(): void;
}

/** A provider on loopback. */
export async function httpStandIn(): Promise<HttpStandIn> {
  const received: Received[] = [];
  let respond: ((request: Received) => StandInAnswer) | null = () => ({ status: 200 });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
      received.push(request);
      if (respond === null) return;
      const { status, body = '', headers: more = {} } = respond(request);
      response.writeHead(status, more).end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received,
    answer: (next) => {
      respond = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
