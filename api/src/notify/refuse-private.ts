import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import type { ChannelType } from '@plimsoll/contract/rules/notify';
import { EgressError, hostOf, pinAddress, PrivateAddressError } from '../egress.ts';
import { CodedError } from '../errors.ts';
import type { Target } from './types.ts';

const LOOKUP_MS = 5000;
/** Refuses a place that no message can reach. A name that does not resolve now may do so later. */
export async function refusePrivate(
  type: ChannelType,
  { settings, secrets }: Target,
  allowedRanges: readonly string[],
): Promise<void> {
  for (const [name, { isPlace }] of Object.entries(CHANNEL_FORMS[type].fields)) {
    const place = settings[name] ?? secrets[name];
    if (isPlace !== true || typeof place !== 'string') continue;
    const host = hostOf(place);
    await pinAddress(host, { allowedRanges }, AbortSignal.timeout(LOOKUP_MS)).catch((error: unknown) => {
      if (!(error instanceof EgressError)) throw error;
      if (error instanceof PrivateAddressError)
        throw new CodedError('invalid_parameter', `settings.${name}: ${host} leads to a private address`, {
          field: `settings.${name}`,
          remedy: 'Use a public address, or let the operator open the range with PLIMSOLL_ALLOWED_PRIVATE_RANGES.',
        });
    });
  }
}
