/** A proxy and a private certificate authority for the way to the dashboard; null: as the system has it. */
export interface TransportSettings {
  proxy: string | null;
  /** Certificates in PEM. */
  authority: string | null;
}

/** Options that only Bun's fetch has. */
interface BunRequest extends RequestInit {
  proxy?: string;
  tls?: { ca: string };
}

/**
 * The runtimes differ: Bun, which the shipped program is built with, takes both per request. Node takes them for the
 * whole process, and its modules are loaded on demand: each costs the program memory.
 */
export async function prepareTransport({ proxy, authority }: TransportSettings): Promise<RequestInit> {
  if (proxy === null && authority === null) return {};
  if ('Bun' in globalThis) {
    const init: BunRequest = {};
    if (proxy !== null) init.proxy = proxy;
    if (authority !== null) init.tls = { ca: authority };
    return init;
  }
  if (authority !== null) {
    const tls = await import('node:tls');
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority]);
  }
  if (proxy !== null) {
    const http = await import('node:http');
    http.setGlobalProxyFromEnv({ http_proxy: proxy, https_proxy: proxy, no_proxy: 'localhost,127.0.0.1,::1' });
  }
  return {};
}
