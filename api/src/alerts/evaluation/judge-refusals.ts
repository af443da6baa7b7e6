import type { ChangeFeed } from '../../live/change-feed.ts';
import { refusedChange } from '../message.ts';
import type { RuleCache } from '../rule-cache.ts';
import type { AcceptedServer, AlertStates } from '../store.ts';
import type { AlertChange } from '../types.ts';

export interface RefusalDeps {
  alertStates: AlertStates;
  alertRules: RuleCache;
  changes: ChangeFeed;
}

/**
 * Opens the alert of servers whose reports are refused for as long as their rule says. The next stored report resolves it;
 * this resolves what an interrupted request left open.
 */
export async function judgeRefusals(deps: RefusalDeps, now: number): Promise<{ opened: number; resolved: number }> {
  const { refused, accepted } = await deps.alertStates.listRefused(now);
  const result = { opened: 0, resolved: 0 };
  for (const server of refused) {
    const rule = (await deps.alertRules.of(server.organisationId)).of(server.serverId).refused;
    if (rule === null || now - server.since < rule.forMs) continue;
    if (await save(deps, server, refusedChange('opened', now, rule, server.detail), now)) result.opened += 1;
  }
  for (const server of accepted)
    if (await save(deps, server, refusedChange('resolved', now), now)) result.resolved += 1;
  return result;
}

/** False: a report came first, and the next run of the job judges again. */
async function save(
  { alertStates, changes }: RefusalDeps,
  { serverKey, serverId, organisationId }: AcceptedServer,
  change: AlertChange,
  now: number,
): Promise<boolean> {
  const known = await alertStates.load(serverKey, [now]);
  if (!(await alertStates.save(serverKey, known.version, known.tracks, [change]))) return false;
  changes.publish(organisationId, { topic: 'alerts', serverId });
  return true;
}
