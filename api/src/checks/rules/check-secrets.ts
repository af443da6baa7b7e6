import type { Probe } from '@plimsoll/contract/wire/check-probes';
import type { ProbeRequest } from '@plimsoll/contract/wire/checks/checks';
import type { CheckSecrets } from '../types.ts';

export const NO_SECRETS: CheckSecrets = { headers: {}, body: null };

/** Separates what a user wrote into what is shown and what is sealed. A part that is left out stays as it is stored. */
export function splitProbe(request: ProbeRequest, stored: CheckSecrets): { probe: Probe; secrets: CheckSecrets } {
  if (request.kind !== 'http') return { probe: request, secrets: NO_SECRETS };
  const { headers = stored.headers, body = stored.body, ...shown } = request;
  return { probe: { ...shown, headers: {}, body: null }, secrets: { headers, body } };
}

export const hasSecrets = ({ headers, body }: CheckSecrets): boolean =>
  Object.keys(headers).length > 0 || body !== null;

/** Returns the probe as a place runs it. */
export const joinProbe = (probe: Probe, secrets: CheckSecrets): Probe =>
  probe.kind === 'http' ? { ...probe, ...secrets } : probe;
