import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DroppingProxy {
  url: string;
  /** Answers that were swallowed after the server had given them. */
  dropped: number;
  close(): Promise<void>;
}

/** Forwards to `target`; where `drop` says so it cuts the connection once the whole answer is there, after the commit. */
export async function droppingProxy(
  target: string,
  drop: (path: string, status: number) => boolean,
): Promise<DroppingProxy> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    const onward = request(new URL(path, target), { method: incoming.method, headers: incoming.headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        if (drop(path, answer.statusCode ?? 0)) {
          proxy.dropped += 1;
          outgoing.destroy();
        } else outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(parts));
      });
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const proxy: DroppingProxy = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    dropped: 0,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return proxy;
}
