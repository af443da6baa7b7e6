import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import type { OrganisationId } from '../tenancy/ids.ts';
import type { Owner } from '../tenancy/owner.ts';

/** An open incident whose cause is to be computed now. */
export interface DueIncident {
  incidentId: string;
  organisationId: OrganisationId;
}

/** An answer as it is stored. */
interface KeptCause {
  answer: CauseAnswer;
  /** A sentence for each cause, without what programs said. */
  findings: readonly string[];
}

/** The newest answer of each incident, kept as long as the incident. Times are epoch milliseconds. */
export interface IncidentCauses {
  /** Claims incidents that are due, at most `most`; no other replica claims them for a while. */
  claimDue(now: number, most: number): Promise<DueIncident[]>;
  /** Replaces the answer. Returns false if the owner has no such incident. */
  save(owner: Owner, incidentId: string, cause: KeptCause, now: number): Promise<boolean>;
  /** Null: no answer is stored, or the owner has no such incident. */
  get(owner: Owner, incidentId: string): Promise<CauseAnswer | null>;
}
