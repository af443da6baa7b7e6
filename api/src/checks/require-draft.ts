import { isIP } from 'node:net';
import { checkAddressRule } from '@plimsoll/contract/probes/address-rules';
import type { Probe } from '@plimsoll/contract/wire/check-probes';
import type { CheckRequest } from '@plimsoll/contract/wire/checks/checks';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import { CodedError, notFound } from '../errors.ts';
import type { Servers } from '../servers/store.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireRole } from '../tenancy/role.ts';
import { cronProblem } from './rules/cron-schedule.ts';
import { hasSecrets, NO_SECRETS, splitProbe } from './rules/check-secrets.ts';
import { hostOf, serverOfTarget } from './rules/check-target.ts';
import { openCheck, sealCheck } from './sealed-secrets.ts';
import type { Checks, SavedDraft } from './store.ts';
import type { Check, CheckSecrets } from './types.ts';

interface DraftDeps {
  servers: Pick<Servers, 'list' | 'listAll'>;
  checks: Pick<Checks, 'nodesAt'>;
  secretBox: SecretBox;
  checkNetworks: readonly string[];
}

const invalid = (field: string, problem: string, remedy: string): CodedError =>
  new CodedError('invalid_parameter', `${field}: ${problem}`, { field, remedy });

const usesCollectors = ({ places }: Pick<CheckRequest, 'places'>): boolean =>
  places.server_ids.length > 0 || places.tag !== null;
const runsOnCollectors = ({ places }: Check): boolean => places.serverIds.length > 0 || places.tag !== null;

/**
 * Checks what a user writes, and seals it. `stored` null: a new check. Throws `invalid_parameter` with the field,
 * `role_insufficient` for a check of collectors, `not_found` for a server of another account.
 */
export async function requireDraft(
  deps: DraftDeps,
  owner: Owner,
  id: string,
  request: CheckRequest,
  stored: Check | null,
): Promise<SavedDraft> {
  // The check makes collectors open connections, so it needs an admin.
  if (usesCollectors(request) || (stored !== null && runsOnCollectors(stored))) requireRole(owner, 'admin');
  if (stored !== null && (stored.heartbeat === null) !== (request.heartbeat === null))
    throw invalid('heartbeat', 'cannot change to or from a probe', 'Add another check.');
  const { name, is_enabled: isEnabled } = request;
  const servers = await namedServers(deps, owner, request);
  if (request.probe === null) {
    const { schedule, grace_seconds: graceSeconds } = requireSchedule(request);
    const every = { name, isEnabled, serverId: request.server_id ?? null };
    const draft = { ...every, probe: null, heartbeat: { schedule, graceSeconds } } as const;
    return { draft, sealedSecrets: null, headerNames: [], hasBody: false };
  }
  const before = stored === null ? NO_SECRETS : openCheck(deps.secretBox, stored);
  const { probe, secrets } = splitProbe(request.probe, before ?? NO_SECRETS);
  requireTarget(probe, deps.checkNetworks, request);
  requireSameHost(request, probe, stored);
  requireHolders(request, secrets);
  const places = { api: request.places.api, serverIds: request.places.server_ids, tag: request.places.tag };
  const guessed = serverOfTarget(probe, places, servers) ?? (await onlyNodeAt(deps, owner, hostOf(probe)));
  const draft = {
    name,
    isEnabled,
    serverId: request.server_id === undefined ? guessed : request.server_id,
    probe,
    secrets,
    places,
    sharesSecrets: request.shares_secrets,
    needed: request.needed,
    retries: request.retries,
    intervalSeconds: request.interval_seconds,
    heartbeat: null,
  };
  const headerNames = Object.keys(secrets.headers);
  const sealedSecrets = sealCheck(deps.secretBox, id, secrets);
  return { draft, sealedSecrets, headerNames, hasBody: secrets.body !== null };
}

/** Returns the owner's servers; throws `not_found` for one that the request names and the owner does not have. */
async function namedServers({ servers }: DraftDeps, owner: Owner, { places, server_id: serverId }: CheckRequest) {
  const ids = [...new Set([...places.server_ids, ...(serverId == null ? [] : [serverId])])];
  if (ids.length > 0) {
    const own = await servers.list(owner, { ids, limit: ids.length, offset: 0 });
    if (own.servers.length < ids.length) throw notFound('Server');
  }
  const all = await servers.listAll(owner);
  return all.map(({ server: { id, hostname, displayName } }) => ({ id, hostname, displayName }));
}

/** Returns the node of this name or address. Null if two clusters have the same private address. */
async function onlyNodeAt({ checks }: DraftDeps, owner: Owner, host: string): Promise<string | null> {
  const [only, ...others] = await checks.nodesAt(owner, host);
  return others.length === 0 ? (only ?? null) : null;
}

function requireSchedule({ heartbeat }: CheckRequest): NonNullable<CheckRequest['heartbeat']> {
  if (heartbeat === null) throw invalid('probe', 'must be given', 'Send probe or heartbeat.');
  const { schedule } = heartbeat;
  const problem = schedule.kind === 'cron' ? cronProblem(schedule.expression, schedule.zone) : null;
  if (problem !== null)
    throw invalid(`heartbeat.schedule.${problem.field}`, problem.problem, 'Write it as in the crontab of the job.');
  return heartbeat;
}

function requireTarget(probe: Probe, networks: readonly string[], { places }: CheckRequest): void {
  const field = probe.kind === 'http' ? 'probe.url' : 'probe.host';
  if (!places.api && !usesCollectors({ places }))
    throw invalid('places', 'must name at least one', 'Run it from the API, or name servers.');
  const host = hostOf(probe);
  if (host === '') throw invalid(field, 'must name a host', 'Write it as https://shop.example.net/health.');
  if (!places.api || probe.kind === 'dns' || isIP(host) === 0 || checkAddressRule(networks)(host)) return;
  throw invalid(
    field,
    `${host} is an address that checks of the API may not reach`,
    'Use a public address, run the check from a server of that network, or let the operator open the range with PLIMSOLL_CHECK_NETWORKS.',
  );
}

/** Secrets go to the host that they were entered for, and to no other. */
function requireSameHost(request: CheckRequest, probe: Probe, stored: Check | null): void {
  if (stored?.sealedSecrets == null || probe.kind !== 'http' || request.probe?.kind !== 'http') return;
  const kept = request.probe.headers === undefined || request.probe.body === undefined;
  const before = stored.probe?.kind === 'http' ? URL.parse(stored.probe.url)?.origin : undefined;
  if (kept && before !== URL.parse(probe.url)?.origin)
    throw invalid(
      'probe.headers',
      'must be entered again for another host',
      'Send headers and body, or {} and null for none.',
    );
}

/** A collector holds a secret only where an admin named its server. */
function requireHolders(request: CheckRequest, secrets: CheckSecrets): void {
  if (!hasSecrets(secrets) || !usesCollectors(request)) return;
  if (request.places.tag !== null)
    throw invalid(
      'places.tag',
      'must be null for a check with headers or a body',
      'Name the servers that may hold them.',
    );
  if (!request.shares_secrets)
    throw invalid(
      'shares_secrets',
      'must be true for a check with headers or a body that runs from servers',
      'Confirm that these servers may hold them, or run the check from the API only.',
    );
}
