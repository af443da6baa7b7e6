import type { PoolConfig } from 'pg';

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

export const poolConfigOf = (connection: Connection): PoolConfig =>
  'connectionString' in connection ? { connectionString: urlOf(connection) } : { ...connection };

/** With an authority the certificate and the host name in it are checked, whatever `sslmode` the URL asks for. */
function urlOf({ connectionString, caFile }: { connectionString: string; caFile?: string | null }): string {
  if (!caFile) return connectionString;
  const url = new URL(connectionString);
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', caFile);
  return url.href;
}
