import type { PersonId } from './ids.ts';
import type { Role } from './role.ts';

/** Times are epoch milliseconds. */

export interface Member {
  personId: PersonId;
  name: string;
  email: string;
  role: Role;
  /** The organisation has the id of this account; its role stays "admin". */
  isFounder: boolean;
  joinedAt: number;
}

export interface Invitation {
  id: string;
  role: Role;
  /** Null: whoever has the link. */
  email: string | null;
  createdAt: number;
  expiresAt: number;
  /** Null: unknown. */
  createdBy: PersonId | null;
}

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
  | 'enrolment_token_revoked'
  | 'cluster_token_created'
  | 'cluster_token_revoked'
  /** A copy of a cluster got an identity and a token of its own. */
  | 'cluster_separated'
  | 'pod_logs_read'
  | 'password_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'server_changed'
  | 'server_deleted'
  /** A filesystem, interface, sensor or container of a server. */
  | 'part_hidden'
  | 'part_shown'
  | 'check_created'
  | 'check_changed'
  | 'check_deleted'
  /** A machine with the machine id of a server that reports. */
  | 'server_clone_enrolled'
  | 'owner_changed'
  | 'channel_created'
  | 'channel_changed'
  | 'channel_deleted'
  /** Settings of the messages of all channels. */
  | 'message_settings_changed'
  | 'retention_changed'
  | 'alert_rule_created'
  | 'alert_rule_changed'
  | 'alert_rule_deleted'
  | 'alert_rules_imported'
  | 'alert_acknowledged'
  | 'alert_unacknowledged'
  | 'alerts_acknowledged'
  | 'alerts_unacknowledged'
  | 'alerts_silenced'
  | 'alerts_undone'
  | 'silence_created'
  | 'silence_changed'
  | 'silence_deleted'
  | 'maintenance_created'
  | 'maintenance_changed'
  | 'maintenance_deleted'
  /** Rules, channels and silences of a cluster, by its custom resources. */
  | 'cluster_objects_applied'
  | 'cluster_changed'
  | 'cluster_renamed'
  /** With its nodes, alerts and tokens. */
  | 'cluster_removed'
  | 'capacity_settings_changed'
  | 'cluster_price_changed'
  | 'cluster_price_deleted'
  | 'ai_settings_changed'
  | 'ai_settings_deleted'
  | 'organisation_renamed'
  | 'member_invited'
  | 'invitation_withdrawn'
  | 'member_joined'
  | 'member_changed'
  | 'member_removed'
  /** Tokens, invitations and pages that a member made. */
  | 'member_access_ended'
  | 'status_page_created'
  | 'status_page_changed'
  | 'status_page_deleted'
  | 'status_incident_created'
  | 'status_incident_changed'
  /** A new update, or new words of one. */
  | 'status_incident_updated'
  | 'status_incident_deleted'
  | 'export_started'
  | 'deletion_planned'
  | 'deletion_withdrawn'
  | 'recovered_on_server';

export interface AuditEntry {
  id: number;
  at: number;
  action: string;
  /** Null: a collector, Plimsoll itself, or an entry of a version that did not record it. */
  person: { id: PersonId; name: string } | null;
  token: { id: string | null; name: string } | null;
  address: string | null;
  detail: Record<string, string>;
}
