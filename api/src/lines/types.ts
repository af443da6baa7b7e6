import type { LineKind } from '@plimsoll/contract/rules/lines';
import type { OrganisationId } from '../tenancy/ids.ts';

/** A distinct line of a minute. Times are epoch milliseconds. */
export interface LineRecord {
  at: number;
  kind: LineKind;
  text: string;
  count: number;
  subject: string | null;
  serverId: string | null;
  hostname: string | null;
  clusterId: string | null;
  namespace: string | null;
  pod: string | null;
  container: string | null;
  /** Restarts of the container before the run that wrote the line. */
  run: number | null;
  /** End of that run. */
  endedAt: number | null;
}

/** Each part that is given must match. `serverId`: lines of the host, and last words of containers on it. */
export interface LineFilter {
  from: number;
  to: number;
  serverId?: string;
  clusterId?: string;
  namespace?: string;
  pod?: string;
}

/** A run of a container that another follows, or the last one of a pod that failed. Nobody has requested its end. */
export interface EndedRun {
  organisationId: OrganisationId;
  clusterId: string;
  namespace: string;
  pod: string;
  podUid: string;
  container: string;
  run: number;
  /** Another run followed, or will: its log is the previous one. */
  restarted: boolean;
}
