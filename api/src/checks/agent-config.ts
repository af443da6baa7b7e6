import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { AgentConfigAnswer, CollectorCheck } from '@plimsoll/contract/wire/check-probes';
import type { Deps } from '../deps.ts';
import type { Agent } from '../servers/types.ts';
import { joinProbe, NO_SECRETS } from './rules/check-secrets.ts';
import { openCheck } from './sealed-secrets.ts';
import type { Check } from './types.ts';

/** Room for the envelope of the answer. */
const MOST_BYTES = CHECK_LIMITS.configBytes - 4096;

/** Returns what a collector runs. A secret is in it only where an admin named this server. */
export async function agentConfig(
  { storage, secretBox }: Pick<Deps, 'storage' | 'secretBox'>,
  { serverId, organisationId }: Agent,
): Promise<AgentConfigAnswer> {
  if (organisationId === null) return { config_rev: 0, checks: [] };
  const config_rev = await storage.checks.configRev(organisationId);
  const checks: CollectorCheck[] = [];
  let bytes = 0;
  for (const check of await storage.checks.ofServer(organisationId, serverId)) {
    const one = forCollector(secretBox, check, serverId);
    if (one === null) continue;
    bytes += Buffer.byteLength(JSON.stringify(one));
    if (bytes > MOST_BYTES) break;
    checks.push(one);
  }
  return { config_rev, checks };
}

function forCollector(box: Deps['secretBox'], check: Check, serverId: string): CollectorCheck | null {
  const { probe, sealedSecrets, sharesSecrets, places } = check;
  if (probe === null) return null;
  const mayHold = sharesSecrets && places.serverIds.includes(serverId);
  // Without its secrets it would be another check.
  if (sealedSecrets !== null && !mayHold) return null;
  const secrets = openCheck(box, check);
  if (secrets === null) return null;
  const joined = joinProbe(probe, sealedSecrets === null ? NO_SECRETS : secrets);
  return { check_id: check.id, check_rev: check.rev, interval_seconds: check.intervalSeconds, probe: joined };
}
