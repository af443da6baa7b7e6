import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './folder.ts';

type Handler = (path: string, response: ServerResponse, request: IncomingMessage) => void;

/** Serves HTTP on a Unix socket as a container runtime does, until the test ends. Returns the socket's path. */
export async function runtimeSocket(handler: Handler): Promise<string> {
  const socket = join(temporaryFolder(), 'runtime.sock');
  const server = createServer((request, response) => {
    handler(request.url ?? '', response, request);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  );
  return socket;
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
