import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for what a check looks at. It answers 200 until it is switched. */
export interface Target {
  url: string;
  breakDown(): void;
  repair(): void;
  close(): void;
}

export async function startTarget(): Promise<Target> {
  let isDown = false;
  const server = createServer((_request, response) => {
    response.writeHead(isDown ? 503 : 200, { 'content-type': 'text/plain' }).end('answer');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/health`,
    breakDown: () => void (isDown = true),
    repair: () => void (isDown = false),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
