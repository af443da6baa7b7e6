import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { messagesOf, startProgram, until } from '../testing/process.ts';

const SETTINGS = {
  PLIMSOLL_URL: 'http://127.0.0.1:1',
  PLIMSOLL_CLUSTER_TOKEN: 'plm_cluster_hunter2',
  PLIMSOLL_METRICS_PORT: '0',
  POD_NAME: 'collector-0',
};

/** An API server that refuses every request; gives the kubeconfig that leads there. */
async function refusing(): Promise<{ kubeconfig: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, answer) => {
    seen.push(`${request.method} ${request.url}`);
    answer.writeHead(403).end('{"kind":"Status","message":"leases is forbidden"}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const kubeconfig = join(temporaryFolder(), 'config');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const named = {
    clusters: [{ name: 'c', cluster: { server: address, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token: 't' } }],
  };
  const contexts = [{ name: 'c', context: { cluster: 'c', user: 'u' } }];
  const config = { apiVersion: 'v1', kind: 'Config', 'current-context': 'c', contexts, ...named };
  writeFileSync(kubeconfig, JSON.stringify(config));
  return { kubeconfig, seen };
}

describe('the cluster collector', () => {
  it('without a right to the lease stands by, says why, and stops when it is told to', async () => {
    const { kubeconfig, seen } = await refusing();
    const { child, output, ended } = startProgram('kubernetes/main.ts', [], { ...SETTINGS, KUBECONFIG: kubeconfig });
    await until(() => output.err.includes('"lease"'));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const [first] = messagesOf(output.err);
    expect([first, messagesOf(output.err).at(-1)]).toEqual(['standing by', 'stopped']);
    expect(output.err).toContain('"reason":"leases is forbidden"');
    expect(output.err).not.toContain('hunter2');
    expect(new Set(seen.map((line) => line.split('/').slice(0, 4).join('/')))).toEqual(
      new Set(['GET /apis/coordination.k8s.io/v1']),
    );
  });

  it('names a setting that is missing, and exits with 64', async () => {
    const { PLIMSOLL_CLUSTER_TOKEN: _, ...others } = SETTINGS;
    const { output, ended } = startProgram('kubernetes/main.ts', [], others);
    expect(await ended).toBe(64);
    expect(output.err).toContain('plimsoll cluster collector: PLIMSOLL_CLUSTER_TOKEN is not set');
  });

  it('in a pod without a service account names the file that is missing', async () => {
    const inPod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const { output, ended } = startProgram('kubernetes/main.ts', [], {
      ...SETTINGS,
      ...inPod,
      PLIMSOLL_SERVICE_ACCOUNT_DIR: '/nowhere',
    });
    expect(await ended).toBe(1);
    expect(output.err).toContain('/nowhere/ca.crt');
  });
});
