import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import type { ReadCall } from '../ai/types.ts';
import type { Clock } from '../clock.ts';
import type { ChangeFeed } from '../live/change-feed.ts';
import type { Storage } from '../storage.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { OrganisationId } from '../tenancy/ids.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { CauseComputer } from './compute-cause.ts';
import { gatherForIncident } from './gather/incident.ts';
import { DUE } from './freshness.ts';

export interface ExplainDueDeps {
  storage: Pick<Storage, 'incidentCauses'>;
  clock: Clock;
  changes: Pick<ChangeFeed, 'publish'>;
  log: Pick<Logger, 'warn'>;
  /** Returns a reader with the rights of a viewer of the organisation. */
  readCallOf: (organisationId: OrganisationId) => ReadCall;
}

const NO_SCREEN = { serverId: null, rangeMinutes: AI_LIMITS.defaultRangeMinutes } as const;

/** Computes the causes that are due, one after the other. An incident that fails is tried again later. */
export async function explainDue(deps: ExplainDueDeps): Promise<{ computed: number; failed: number }> {
  const { storage, clock, changes, log, readCallOf } = deps;
  const computer = new CauseComputer();
  const due = await storage.incidentCauses.claimDue(clock.now(), DUE.aRun);
  let failed = 0;
  for (const { incidentId, organisationId } of due) {
    try {
      const context = { read: readCallOf(organisationId), now: clock.now() / 1000, ...NO_SCREEN };
      const cause = await computer.compute(incidentId, () => gatherForIncident(context, incidentId));
      await storage.incidentCauses.save(ownerOf(organisationId), incidentId, cause, clock.now());
      changes.publish(organisationId, { topic: 'alerts', serverId: null });
    } catch (error) {
      failed += 1;
      log.warn({ err: error, incidentId }, 'the cause of an incident was not computed');
    }
  }
  return { computed: due.length - failed, failed };
}
