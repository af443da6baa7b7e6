import { notFound } from '../../errors.ts';
import { requireServer } from '../../servers/require-server.ts';
import type { Stores } from '../../storage.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { Silence, SilenceDraft, SilenceMatcher } from '../silence-match.ts';
import { silencePeriod, type AskedPeriod } from './silence-period.ts';

/** The request of a user. `of`: a matcher, or an alert whose key is to be silenced. */
export interface SilenceInput {
  of: SilenceMatcher | { alertId: string };
  period: AskedPeriod;
  comment: string;
}

const NO_MATCHER = { tagKey: null, tagValue: null, metric: null, namespace: null };

/**
 * Returns a silence as it is stored. `stored`: the one that it replaces. Throws `not_found` for a server, cluster or
 * alert of another account, and `invalid_parameter` for its period.
 */
export async function silenceDraft(
  stores: Pick<Stores, 'alerts' | 'servers' | 'kubernetes'>,
  owner: Owner,
  { of, period, comment }: SilenceInput,
  { now, stored }: { now: number; stored: Silence | null },
): Promise<SilenceDraft> {
  const { startsAt, endsAt } = silencePeriod(period, now, stored?.startsAt ?? null);
  return { ...(await matcherOf(stores, owner, of, now)), startsAt, endsAt, comment };
}

async function matcherOf(
  { alerts, servers, kubernetes }: Pick<Stores, 'alerts' | 'servers' | 'kubernetes'>,
  owner: Owner,
  of: SilenceInput['of'],
  now: number,
): Promise<SilenceMatcher> {
  if ('alertId' in of) {
    const alert = await alerts.get(owner, of.alertId, now);
    if (alert === null) throw notFound('Alert');
    const { serverId, cluster, rule, subject } = alert;
    return { ...NO_MATCHER, serverId, clusterId: cluster?.clusterId ?? null, rule, subject };
  }
  if (of.serverId !== null) await requireServer(servers, owner, of.serverId);
  // It throws for a cluster of another account.
  if (of.clusterId !== null) await kubernetes.views.clusterStates({ owner, clusterId: of.clusterId });
  return of;
}
