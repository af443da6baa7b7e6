import type { Deps } from '../deps.ts';
import type { Http } from './define-route.ts';

/** Entries of the audit log. It is append-only: only the deletion of the account removes entries. */
export type AuditAction =
  | 'signed_in'
  /** A count of failures, see FailedSignIns. */
  | 'sign_in_failed'
  | 'signed_out'
  | 'session_revoked'
  | 'token_created'
  | 'token_revoked'
  | 'enrolment_token_created'
  | 'cluster_token_created'
  | 'cluster_token_revoked'
  | 'pod_logs_read'
  | 'password_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'server_changed'
  | 'server_deleted'
  | 'owner_changed'
  | 'channel_created'
  | 'channel_changed'
  | 'channel_deleted'
  | 'retention_changed'
  | 'alert_rule_created'
  | 'alert_rule_changed'
  | 'alert_rule_deleted'
  | 'alert_acknowledged'
  | 'alert_unacknowledged'
  | 'alerts_acknowledged'
  | 'alerts_unacknowledged'
  | 'alerts_silenced'
  | 'alerts_undone'
  | 'silence_created'
  | 'silence_changed'
  | 'silence_deleted'
  | 'ai_settings_changed'
  | 'ai_settings_deleted'
  | 'organisation_renamed'
  | 'member_invited'
  | 'invitation_withdrawn'
  | 'member_joined'
  | 'member_changed'
  | 'member_removed'
  | 'status_page_created'
  | 'status_page_changed'
  | 'status_page_deleted'
  | 'export_started'
  | 'deletion_planned'
  | 'deletion_withdrawn';

/** `detail`: names and ids, never secrets. */
export const audit = (
  { storage, clock }: Deps,
  http: Http,
  accountId: string,
  action: AuditAction,
  detail: Record<string, string> = {},
): Promise<void> =>
  storage.identity.audit.record({ accountId, action, address: http.get('clientAddress'), detail }, clock.now());
