import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from './connection.ts';

/** The kubelet renews a projected token at 80 % of its life; client-go reads the file once a minute, too. */
const TOKEN_CACHE_MS = 60_000;

/** Environment and service account folder, as the caller read them. */
export interface Surroundings {
  /** KUBERNETES_SERVICE_HOST and _PORT; null outside a cluster. */
  serviceHost: string | null;
  servicePort: string | null;
  /** KUBECONFIG; null: `~/.kube/config` as kubectl does. */
  kubeconfig: string | null;
  /** Mount of the pod's service account: token and ca.crt. */
  serviceAccountDir: string;
}

export async function findCredentials(surroundings: Surroundings, now: () => number): Promise<Credentials> {
  const { serviceHost, servicePort, kubeconfig, serviceAccountDir } = surroundings;
  if (serviceHost && servicePort && kubeconfig === null)
    return inCluster(serviceHost, servicePort, now, serviceAccountDir);
  return fromKubeconfig(kubeconfig);
}

export function inCluster(host: string, port: string, now: () => number, folder: string): Credentials {
  const ca = readFileSync(join(folder, 'ca.crt'));
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { server, ca, token: fileToken(join(folder, 'token'), now) };
}

/** The text of a token file, read again once a minute or when told that it went stale. */
export function fileToken(path: string, now: () => number): (fresh: boolean) => Promise<string> {
  let cached: { text: string; at: number } | null = null;
  return (fresh) => {
    if (fresh || cached === null || now() - cached.at >= TOKEN_CACHE_MS) {
      cached = { text: readFileSync(path, 'utf8').trim(), at: now() };
    }
    return Promise.resolve(cached.text);
  };
}

/**
 * The library reads kubeconfig files with all their ways of signing in. It is loaded only then: it costs 90 MB of memory,
 * which a collector in its cluster need not pay.
 */
async function fromKubeconfig(path: string | null): Promise<Credentials> {
  if (path !== null && !existsSync(path)) throw new Error(`KUBECONFIG names ${path}, which does not exist`);
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  if (path === null) config.loadFromDefault();
  else config.loadFromFile(path);
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error('the kubeconfig names no current cluster; set current-context');
  const options: { ca?: Buffer; cert?: Buffer; key?: Buffer; headers?: Record<string, unknown> } = {};
  await config.applyToHTTPSOptions(options);
  return {
    server: cluster.server.replace(/\/$/, ''),
    ...(options.ca ? { ca: options.ca } : {}),
    ...(options.cert ? { cert: options.cert } : {}),
    ...(options.key ? { key: options.key } : {}),
    insecureSkipVerify: cluster.skipTLSVerify,
    // Exec plug-ins keep their own cache and renew what has expired.
    token: async () => {
      const fresh: { headers?: Record<string, unknown> } = {};
      await config.applyToHTTPSOptions(fresh);
      const header = fresh.headers?.Authorization;
      return typeof header === 'string' && header.startsWith('Bearer ') ? header.slice('Bearer '.length) : null;
    },
  };
}
