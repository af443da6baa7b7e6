import type { CheckKind } from '@plimsoll/contract/rules/check-limits';
import type { CertificatePart, Probe, ProbeResult } from '@plimsoll/contract/wire/check-probes';
import type { OrganisationId, PersonId } from '../tenancy/ids.ts';
import type { CheckFold } from './rules/fold.ts';

/** Times are epoch milliseconds. */

/** Key of the API among the places; every other place is the key of a server. */
export const API_PLACE = 0;

export type Schedule = { kind: 'interval'; seconds: number } | { kind: 'cron'; expression: string; zone: string };

interface Places {
  api: boolean;
  serverIds: readonly string[];
  /** Servers with this tag; `value` null: with any value. */
  tag: { key: string; value: string | null } | null;
}

/** Headers and body of an HTTP check: written, never returned. */
export interface CheckSecrets {
  headers: Record<string, string>;
  body: string | null;
}

interface EveryCheck {
  name: string;
  isEnabled: boolean;
  /** The server that a failure belongs to; null: none. */
  serverId: string | null;
}
/** Input of a user. `secrets` null: those that are stored stay. */
export type CheckDraft = EveryCheck &
  (
    | {
        probe: Probe;
        secrets: CheckSecrets | null;
        places: Places;
        sharesSecrets: boolean;
        /** Null: a majority of the places. */
        needed: number | null;
        retries: number;
        intervalSeconds: number;
        heartbeat: null;
      }
    | { probe: null; heartbeat: { schedule: Schedule; graceSeconds: number } }
  );

export interface Check extends EveryCheck {
  id: string;
  key: number;
  organisationId: OrganisationId;
  kind: CheckKind;
  /** Without headers and body. Null: a heartbeat. */
  probe: Probe | null;
  /** Sealed `CheckSecrets`; null: there are none. */
  sealedSecrets: Buffer | null;
  headerNames: readonly string[];
  hasBody: boolean;
  places: Places;
  sharesSecrets: boolean;
  needed: number | null;
  retries: number;
  intervalSeconds: number;
  heartbeat: { schedule: Schedule; graceSeconds: number } | null;
  rev: number;
  createdAt: number;
  updatedAt: number;
  createdBy: PersonId | null;
}

/** A result of one place, with the time it began. */
export interface PlaceResult extends Omit<ProbeResult, 'answer' | 'text_found'> {
  checkKey: number;
  rev: number;
  at: number;
}

export interface HeartbeatState {
  /** The last good call, or the creation, a new schedule or the end of a pause, if one of these is later. */
  goodAt: number;
  lastCall: { at: number; kind: 'ok' | 'start' | 'fail'; exitCode: number | null; output: string | null } | null;
  startedAt: number | null;
  durationMs: number | null;
}

export interface CheckState {
  version: number;
  fold: CheckFold;
  certificate: (CertificatePart & { seenAt: number }) | null;
  heartbeat: HeartbeatState | null;
  /** Since when the response time is past a line of its rule; null: it is not. */
  slowSince: number | null;
}

export interface Outage {
  id: string;
  kind: 'down' | 'unknown';
  beganAt: number;
  endedAt: number | null;
  reason: string | null;
  status: number | null;
  phase: string | null;
  failed: number;
  voted: number;
}

/** The last result of a place. */
export interface LatestResult {
  checkKey: number;
  placeKey: number;
  at: number;
  ok: boolean | null;
  totalMs: number | null;
}

/** Buckets of 5 minutes and of an hour. */
export type RollupLevel = '5m' | '1h';
