import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createApp } from '../app.ts';
import type { TestApp } from './app.ts';

/** Connects the SDK's own client to the app, without a socket. */
export async function mcpClient(app: TestApp, token: string): Promise<Client> {
  const http = createApp(app.deps);
  const transport = new StreamableHTTPClientTransport(new URL('http://plimsoll.test/mcp'), {
    fetch: (url, init) => Promise.resolve(http.request(String(url), init)),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
}
