// SQL finds the host that accepts writes, before anything else is read.
import { Client, type ClientBase } from 'pg';
import { clientConfigOf, hostsOf, type Connection } from './connection.ts';

const CONNECT_TIMEOUT_MS = 5000;

/** SQLSTATE read_only_sql_transaction, which a write on a standby fails with. */
const READ_ONLY = '25006';

/** Throws if the session cannot write: the host is a standby. */
export async function requireWritable(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby === true)
    throw Object.assign(new Error('this PostgreSQL is a standby, which cannot write'), { code: READ_ONLY });
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
