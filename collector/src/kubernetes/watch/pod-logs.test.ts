import { logMessage } from '@plimsoll/contract/wire/cluster-report';
import { POD_LOG_LIMITS as L } from '@plimsoll/contract/rules/kubernetes-limits';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Connection } from './connection.ts';
import { lastLines, readPodLog } from './pod-logs.ts';

const REQUEST = {
  id: '00000000-0000-4000-8000-000000000001',
  namespace: 'shop',
  pod: 'web-1',
  container: 'app',
  previous: false,
};

async function apiServer(status: number, body: string) {
  const seen: string[] = [];
  const server = createServer((request, answer) => {
    seen.push(request.url ?? '');
    answer.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const connection = new Connection({ server: `http://127.0.0.1:${port}`, token: () => Promise.resolve('t') });
  onTestFinished(() => {
    connection.close();
    server.closeAllConnections();
    server.close();
  });
  return { connection, seen };
}

describe('readPodLog', () => {
  it('asks for 200 lines with their times, of one container, and of the run before', async () => {
    const { connection, seen } = await apiServer(200, '2026-01-01T00:00:00Z started\n');
    expect(logMessage.parse(await readPodLog(connection, REQUEST))).toEqual({
      id: REQUEST.id,
      lines: ['2026-01-01T00:00:00Z started'],
      failure: null,
    });
    await readPodLog(connection, { ...REQUEST, previous: true });
    const path = '/api/v1/namespaces/shop/pods/web-1/log?container=app&tailLines=200&timestamps=true';
    expect(seen).toEqual([path, `${path}&previous=true`]);
  });

  it('says which right is missing', async () => {
    const { connection } = await apiServer(403, '{"message":"pods is forbidden"}');
    expect(await readPodLog(connection, REQUEST)).toMatchObject({
      lines: [],
      failure: 'forbidden: needs pods/log get',
    });
  });

  it('says why a container has no log', async () => {
    const { connection } = await apiServer(400, '{"message":"previous terminated container \\"app\\" not found"}');
    expect((await readPodLog(connection, REQUEST)).failure).toBe('previous terminated container "app" not found');
  });
});

describe('lastLines', () => {
  it('redacts secrets', () => {
    expect(lastLines('connect postgres://app:hunter2@db/shop').join()).not.toContain('hunter2');
  });

  it('keeps the newest that fit, and each within its limit', () => {
    const text = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(900)}`).join('\n');
    const lines = lastLines(text);
    expect(lines.at(-1)).toMatch(/^499 /);
    expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThanOrEqual(L.bytes + 2);
    expect(lastLines(Array.from({ length: 500 }, (_, index) => `${index}`).join('\n'))).toHaveLength(L.lines);
    expect(lastLines('y'.repeat(100_000))).toEqual(['y'.repeat(L.lineLength)]);
  });

  it('takes control characters and broken surrogates without breaking the wire', () => {
    const lines = lastLines(`\u0001\0\ud800${'\u0007'.repeat(5000)}\nend`);
    expect(logMessage.safeParse({ id: REQUEST.id, lines, failure: null }).success).toBe(true);
  });
});
