import { Client, type ClientBase } from 'pg';
import { clientConfigOf, hostsOf, type Connection } from './connection.ts';

const CONNECT_TIMEOUT_MS = 5000;

/** Throws if the session cannot write: the host is a standby. */
export async function requireWritable(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby === true) throw new Error('this PostgreSQL is a standby, which cannot write');
}

/**
 * Opens a session of its own, outside of the pool. Of several hosts the first that can write is used. The caller ends
 * it. Throws the error of the last host.
 */
export async function openClient(connection: Connection, applicationName: string): Promise<Client> {
  const hosts = hostsOf(connection);
  let failure: unknown;
  for (const host of hosts) {
    const client = new Client({
      ...clientConfigOf(host),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: applicationName,
    });
    // A lost connection fails the next query. Without a listener the event would end the process.
    client.on('error', ignore);
    try {
      await client.connect();
      if (hosts.length > 1) await requireWritable(client);
      return client;
    } catch (error) {
      failure = error;
      await client.end().catch(ignore);
    }
  }
  throw failure;
}
const ignore = (): void => {};
