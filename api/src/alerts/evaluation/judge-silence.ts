import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';
import type { ChangeFeed } from '../../live/change-feed.ts';
import type { OfflineRule } from '../rules/rules.ts';
import { type FleetSilence, judgeSilence } from '../incidents/ingest-outage.ts';
import { pausedAfter } from '../incidents/ingest-pause.ts';
import { offlineChange, outageText } from '../message.ts';
import type { RuleCache } from '../rule-cache.ts';
import type { AlertStates, Incidents, IngestWatch } from '../store.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

export interface SilenceDeps {
  alertStates: AlertStates;
  alertRules: RuleCache;
  incidents: Incidents;
  ingestWatch: IngestWatch;
  changes: ChangeFeed;
  reportIntervalSeconds: number;
}
type SilentServer = Awaited<ReturnType<AlertStates['listSilent']>>[number];
interface Silent {
  server: SilentServer;
  rule: OfflineRule;
}
export interface SilenceResult {
  opened: number;
  outages: number;
  ended: number;
}

/** A report is overdue after this many intervals: the clocks of hosts are not exact. */
const LATE_INTERVALS = 1.5;

/**
 * Opens the offline alert of silent servers, or one alert for an account whose servers are silent together. Returns what
 * changed; null while another replica is judging. After a gap of the installation it only ends outages.
 */
export async function judgeSilentServers(deps: SilenceDeps, now: number): Promise<SilenceResult | null> {
  const { pausedUntil } = await deps.ingestWatch.look(now, deps.reportIntervalSeconds * 1000);
  return deps.ingestWatch.judge(() => judgeAccounts(deps, now, now < pausedUntil));
}

async function judgeAccounts(deps: SilenceDeps, now: number, isPaused: boolean): Promise<SilenceResult> {
  const { alertStates, incidents } = deps;
  // One after another: nobody waits for a job, and at once each would take a connection of its own.
  const servers = await alertStates.listSilent(now);
  const fleets = await incidents.fleets(now, { late: LATE_INTERVALS, silent: OFFLINE_AFTER_INTERVALS });
  const outages = await incidents.outages();
  const result = { opened: 0, outages: 0, ended: 0 };
  const silentOf = Map.groupBy(servers, ({ organisationId }) => organisationId);
  const openOutages = outages
    .filter(({ resolvedAt }) => resolvedAt === null)
    .map(({ organisationId }) => organisationId);
  for (const organisationId of new Set([...silentOf.keys(), ...openOutages])) {
    const silent = await dueServers(deps, silentOf.get(organisationId) ?? [], now);
    // A server without an account has nobody who would receive an outage.
    const fleet = fleets.find((one) => one.organisationId === organisationId);
    const counts = { silent: silent.length, late: fleet?.late ?? 0, alive: fleet?.alive ?? 0 };
    const last = outages.find((one) => one.organisationId === organisationId);
    if (organisationId !== null && (await judgeOutage(deps, { organisationId, counts, last, isPaused }, now, result)))
      continue;
    if (isPaused) continue;
    result.opened += await openOffline(deps, silent, now);
  }
  return result;
}

/** Returns the servers whose rule requires an alert by now. */
async function dueServers(
  { alertRules }: SilenceDeps,
  servers: readonly SilentServer[],
  now: number,
): Promise<Silent[]> {
  const due: Silent[] = [];
  for (const server of servers) {
    const rule = (await alertRules.of(server.organisationId)).of(server.serverId).offline;
    if (rule !== null && now - server.lastSeenAt >= rule.forMs) due.push({ server, rule });
  }
  return due;
}

interface JudgedAccount {
  organisationId: OrganisationId;
  counts: FleetSilence;
  last: Awaited<ReturnType<Incidents['outages']>>[number] | undefined;
  isPaused: boolean;
}

/** Returns true if no single server of the account is judged now. */
async function judgeOutage(
  { incidents, changes, reportIntervalSeconds }: SilenceDeps,
  { organisationId, counts, last, isPaused }: JudgedAccount,
  now: number,
  result: SilenceResult,
): Promise<boolean> {
  const verdict = judgeSilence(counts);
  const isOpen = last !== undefined && last.resolvedAt === null;
  if (verdict === 'outage') {
    if (isOpen || isPaused) return true;
    const { silent, alive } = counts;
    if (await incidents.openOutage({ organisationId, silent, servers: silent + alive, ...outageText(counts) }, now)) {
      result.outages += 1;
      changes.publish(organisationId, { topic: 'alerts', serverId: null });
    }
    return true;
  }
  const intervalMs = reportIntervalSeconds * 1000;
  if (isOpen) {
    if (!(await incidents.endOutage(organisationId, now))) return true;
    result.ended += 1;
    changes.publish(organisationId, { topic: 'alerts', serverId: null });
    return true;
  }
  // The other servers of an outage report again within a pause, as after a gap of the installation.
  const from = last === undefined ? 0 : last.openedAt - OFFLINE_AFTER_INTERVALS * intervalMs;
  const isReturning = last?.resolvedAt != null && now < pausedAfter({ from, end: last.resolvedAt }, intervalMs);
  return isReturning || verdict === 'wait';
}

async function openOffline(
  { alertStates, changes }: SilenceDeps,
  silent: readonly Silent[],
  now: number,
): Promise<number> {
  let opened = 0;
  for (const { server, rule } of silent) {
    const { serverKey, serverId, organisationId } = server;
    const known = await alertStates.load(serverKey, [now]);
    const change = offlineChange('opened', now, rule);
    if (!(await alertStates.save(serverKey, known.version, known.tracks, [change]))) continue;
    opened += 1;
    changes.publish(organisationId, { topic: 'alerts', serverId });
  }
  return opened;
}
