import type { ClientConfig } from 'pg';

/** Location of a PostgreSQL: a URL of the operator, or the socket of the embedded one. */
export type Connection =
  | { connectionString: string; caFile?: string | null }
  | { host: string; port: number; user: string; password?: string; database: string };

/** Logger of the storage; pino's logger fits. */
export interface StorageLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
export const silentLogger: StorageLogger = { info() {}, warn() {}, error() {} };

export const clientConfigOf = (connection: Connection): ClientConfig =>
  'connectionString' in connection ? { connectionString: urlOf(connection) } : { ...connection };

/** With an authority the certificate and the host name in it are checked, whatever `sslmode` the URL has. */
function urlOf({ connectionString, caFile }: { connectionString: string; caFile?: string | null }): string {
  if (!caFile) return connectionString;
  const url = new URL(connectionString);
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', caFile);
  return url.href;
}

/** Scheme with user and password, hosts with their ports, database and parameters. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s;

/** Returns one URL for each host of a URL as libpq reads it (`postgresql://host1:5432,host2/database`), in its order. */
export function splitHosts(connectionString: string): string[] {
  const [, start, hosts, end] = URL_PARTS.exec(connectionString) ?? [];
  if (start === undefined || hosts === undefined || end === undefined) return [connectionString];
  return hosts.split(',').map((host) => start + host + end);
}

/** Returns one connection for each host. A standby and its primary are two hosts of one installation. */
export const hostsOf = (connection: Connection): Connection[] =>
  'connectionString' in connection
    ? splitHosts(connection.connectionString).map((connectionString) => ({ ...connection, connectionString }))
    : [connection];

/** The settings that name the operator's PostgreSQL. */
interface Addresses {
  databaseUrl: string | null;
  listenUrl: string | null;
  databaseCaFile: string | null;
}

/** Returns the connection to PostgreSQL itself, past a pooler; null: the embedded PostgreSQL is used. */
export function directConnectionOf({ databaseUrl, listenUrl, databaseCaFile: caFile }: Addresses): Connection | null {
  const connectionString = listenUrl ?? databaseUrl;
  return connectionString === null ? null : { connectionString, caFile };
}
