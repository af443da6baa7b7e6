/**
 * Every error an answer can carry, and the HTTP status it travels with. Code throws a `CodedError`; only the HTTP layer
 * reads the status. Whatever else is thrown becomes `internal` and its text stays in the log.
 */
export const STATUS_OF_CODE = {
  invalid_parameter: 400,
  invalid_json: 400,
  invalid_gzip: 400,
  invalid_snappy: 400,
  invalid_protobuf: 400,
  nesting_too_deep: 400,
  body_cut_off: 400,
  account_required: 400,
  unauthenticated: 401,
  credentials_invalid: 401,
  code_invalid: 401,
  state_invalid: 401,
  provider_failed: 401,
  provider_refused: 403,
  sign_up_closed: 403,
  api_token_unknown: 401,
  agent_token_unknown: 401,
  enrolment_token_unknown: 401,
  cluster_token_unknown: 401,
  totp_required: 401,
  totp_invalid: 401,
  bearer_required: 403,
  scope_missing: 403,
  role_insufficient: 403,
  not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  channel_managed: 409,
  object_managed: 409,
  alert_resolved: 409,
  operation_undone: 409,
  rules_changed: 409,
  undo_expired: 409,
  ai_managed: 409,
  totp_enabled: 409,
  owner_has_machine: 409,
  first_run_over: 409,
  founder_stays: 409,
  organisation_has_members: 409,
  sign_in_not_configured: 409,
  stream_conflict: 409,
  server_mismatch: 403,
  cluster_mismatch: 403,
  collector_superseded: 409,
  another_collector_reports: 409,
  no_second_cluster: 409,
  node_ambiguous: 409,
  pod_logs_off: 409,
  server_deleted: 410,
  invitation_invalid: 410,
  invitation_other_address: 403,
  body_too_large: 413,
  path_too_long: 414,
  unsupported_media_type: 415,
  plan_limit: 422,
  rule_file_too_large: 422,
  version_not_spoken: 426,
  too_many_requests: 429,
  internal: 500,
  assistant_failed: 502,
  overloaded: 503,
  node_not_known_yet: 503,
  storage_unavailable: 503,
  took_too_long: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF_CODE;

export interface ErrorNotes {
  /** Name of the parameter or body field at fault. */
  field?: string;
  /** Instruction to the caller that solves the problem. */
  remedy?: string;
  /** Seconds to wait before trying again; sent as Retry-After. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** `detail` is shown to the caller and must not contain secrets. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly remedy: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, notes: ErrorNotes = {}) {
    super(detail, notes.cause === undefined ? undefined : { cause: notes.cause });
    this.name = 'CodedError';
    this.code = code;
    this.field = notes.field;
    this.remedy = notes.remedy;
    this.retryAfterSeconds = notes.retryAfterSeconds;
  }
}

/** A foreign object answers exactly like an unknown one. */
export const notFound = (what: string): CodedError => new CodedError('not_found', `${what} not found`);
