import { runProbe } from '@plimsoll/contract/probes/run-probe';
import type { ProbeResult } from '@plimsoll/contract/wire/check-probes';
import type { ProbeRequest } from '@plimsoll/contract/wire/checks/checks';
import type { Deps } from '../deps.ts';
import { joinProbe, NO_SECRETS, splitProbe } from './rules/check-secrets.ts';
import { apiPlace } from './probe-place.ts';

/** Runs a check once from the API, before it is saved. Stores nothing. */
export async function previewCheck({ config }: Pick<Deps, 'config'>, request: ProbeRequest): Promise<ProbeResult> {
  const { probe, secrets } = splitProbe(request, NO_SECRETS);
  return runProbe(joinProbe(probe, secrets), apiPlace(config.checkNetworks));
}
