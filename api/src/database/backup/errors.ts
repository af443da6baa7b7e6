export type BackupErrorCode =
  | 'not_a_backup'
  | 'unsupported'
  | 'truncated'
  | 'damaged'
  | 'passphrase_missing'
  | 'passphrase_wrong'
  | 'not_empty'
  | 'in_use'
  | 'connection_lost'
  | 'not_ours'
  | 'newer';

/** A backup or restore that was refused or failed; the message says what to do. */
export class BackupError extends Error {
  readonly code: BackupErrorCode;
  constructor(code: BackupErrorCode, message: string) {
    super(message);
    this.name = 'BackupError';
    this.code = code;
  }
}
