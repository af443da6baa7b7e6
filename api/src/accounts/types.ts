import type { PersonId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface Account {
  id: PersonId;
  email: string;
  name: string;
  avatarUrl: string | null;
  githubUsername: string | null;
  isActive: boolean;
  createdAt: number;
  lastLoginAt: number | null;
}

export interface NewAccount {
  email: string;
  name: string;
  passwordHash: string | null;
  /** The account at the provider that it signs in with. Stored with the account or not at all. */
  identity?: { provider: Provider; subject: string };
}

export type TokenScope = 'read' | 'write' | 'transfer' | 'metrics' | 'changes';

export interface ApiToken {
  id: string;
  name: string;
  lastFour: string;
  scopes: TokenScope[];
  createdAt: number;
  /** To the minute; null: never used. */
  lastUsedAt: number | null;
  /** Null: does not expire. */
  expiresAt: number | null;
}

export interface SessionRecord {
  id: string;
  createdAt: number;
  expiresAt: number;
  userAgent: string | null;
  address: string | null;
  /** The way of the sign-in; `code`: by a link or a provider. Null: not known. */
  method: string | null;
}

export type Provider = 'github' | 'google' | 'oidc';

export interface SignInFlow {
  provider: Provider;
  /** PKCE. */
  verifier: string;
  nonce: string;
  bindingHash: Buffer;
  /** Hash of the code of an invitation; null: without one. */
  invitationHash: Buffer | null;
}

export interface TotpState {
  /** Sealed; null: none was ever begun. */
  secret: Buffer | null;
  confirmed: boolean;
}

/** Days. */
export interface Retention {
  metrics: number;
  alerts: number;
  events: number;
  processes: number;
}

/** Lists of an export that no call answers. */
export const EXPORTED_LISTS = [
  'rollups_5m',
  'rollups_1h',
  'lists',
  'list_history',
  'filesystem_history',
  'container_history',
  'hidden_parts',
  'changes',
  'checks',
  'check_outages',
  'check_rollups',
  'process_minutes',
  'process_blocks',
  'clusters',
  'kubernetes_nodes',
  'kubernetes_pods',
  'kubernetes_workloads',
  'kubernetes_events',
  'kubernetes_jobs',
  'kubernetes_samples',
  'kubernetes_rollups',
  'last_words',
  'capacity_settings',
  'cluster_prices',
  'conversations',
  'conversation_messages',
  'status_pages',
  'status_page_servers',
  'status_page_checks',
  'status_incidents',
  'status_incident_updates',
  'alert_rules',
  'alert_silences',
  'maintenance',
  'alert_operations',
  'alert_events',
  'alert_black_boxes',
  'incident_causes',
  'notify_channels',
  'notify_outbox',
  'notify_deliveries',
] as const;

export type ExportedList = (typeof EXPORTED_LISTS)[number];
