/** Why the embedded PostgreSQL does not run; the message says what to do about it. */
export type EmbeddedErrorCode =
  | 'already_running'
  | 'cluster_version'
  | 'database_user'
  | 'embedded_unavailable'
  | 'foreign_cluster'
  | 'initdb_failed'
  | 'start_failed'
  | 'unsafe_folder';

export class EmbeddedError extends Error {
  readonly code: EmbeddedErrorCode;
  constructor(code: EmbeddedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedError';
    this.code = code;
  }
}
