import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { contract, NO_DASHBOARD, serve, SERVER_ID } from '../testing/loopback-api.ts';
import { messagesOf, plimsoll, until } from '../testing/process.ts';

/** Environment that the DaemonSet gives its pods; nothing listens on the kubelet's address. */
function pod(url: string): Record<string, string> {
  const account = temporaryFolder();
  writeFileSync(join(account, 'ca.crt'), 'the authority');
  writeFileSync(join(account, 'token'), 'kubelet-hunter2');
  return {
    PLIMSOLL_URL: url,
    PLIMSOLL_STATE_DIR: temporaryFolder(),
    PLIMSOLL_CLUSTER_TOKEN: 'plm_cluster_hunter2',
    PLIMSOLL_HOST_ROOT: '/',
    PLIMSOLL_SERVICE_ACCOUNT_DIR: account,
    NODE_NAME: 'worker-1',
    NODE_IP: '127.0.0.1',
  };
}

describe('plimsoll node', () => {
  it('enrols with the cluster’s token, reports the node, and ends as one that will be back', async () => {
    const { url, seen } = await serve(contract);
    const environment = pod(url);
    const { child, output, ended } = plimsoll(['node'], environment);
    const accepted = join(environment['PLIMSOLL_STATE_DIR'] ?? '', 'accepted');
    await until(() => seen.some(({ path }) => path.endsWith('/reports')));
    await expect.poll(() => Number(readFileSync(accepted, 'utf8')), { timeout: 40_000 }).toBeGreaterThan(0);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(seen.map(({ path, token }) => [path, token])).toEqual([
      ['/api/agent/v1/nodes/enrol', 'Bearer plm_cluster_hunter2'],
      ['/api/agent/v1/reports', 'Bearer plm_agent_secret'],
      ['/api/agent/v1/bye', 'Bearer plm_agent_secret'],
    ]);
    const [enrolment, reports, bye] = seen.map(({ body }) => body);
    expect(enrolment).toMatchObject({ node_name: 'worker-1', hostname: 'worker-1', boot_id: expect.any(String) });
    expect(reports).toMatchObject({
      server_id: SERVER_ID,
      reports: [
        {
          system: { hostname: 'worker-1' },
          cpu: { percent: expect.any(Number) },
          kubernetes: { node_name: 'worker-1', mode: 'proc', kubelet: { state: 'unreachable' }, pods: [] },
        },
      ],
    });
    expect(bye).toEqual({ reason: 'restart' });
    expect(messagesOf(output.err)).toEqual(['enrolled', 'reporting', 'stopped']);
    expect(output.err).not.toContain('hunter2');
  });

  it('is patient while the dashboard is not there, and ends when it is told to', async () => {
    const { child, output, ended } = plimsoll(['node'], pod(NO_DASHBOARD));
    await until(() => output.err.includes('not enrolled yet, trying again'));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output.err).toContain('"code":"ECONNREFUSED"');
  });

  it('without its settings is wrong use', async () => {
    const { NODE_NAME: _, ...environment } = pod('http://127.0.0.1:1');
    const { output, ended } = plimsoll(['node'], environment);
    expect(await ended).toBe(64);
    expect(output.err).toBe('plimsoll node: NODE_NAME is not set. Set it from the field spec.nodeName\n');
  });
});
