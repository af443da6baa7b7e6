import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import type { ChannelType } from '@plimsoll/contract/rules/notify';
import { requirePublic } from '../egress.ts';
import type { Target } from './types.ts';

/** Refuses a place that no message can reach: a private address that the operator has not opened. */
export async function refusePrivate(
  type: ChannelType,
  { settings, secrets }: Target,
  allowedRanges: readonly string[],
): Promise<void> {
  for (const [name, { isPlace }] of Object.entries(CHANNEL_FORMS[type].fields)) {
    const place = settings[name] ?? secrets[name];
    if (isPlace === true && typeof place === 'string') await requirePublic(`settings.${name}`, place, allowedRanges);
  }
}
