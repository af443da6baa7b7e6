import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import type { ChannelType } from '@plimsoll/contract/rules/notify';
import type { ChannelRequest } from '@plimsoll/contract/wire/notify';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { readSettings, routingOf, secretEndsOf } from '../channel-input.ts';
import { sealSecrets, targetOf } from '../channel-secrets.ts';
import { refusePrivate } from '../refuse-private.ts';
import type { ChannelEntry, ChannelRecord } from '../types.ts';

/** A provider checks who sends: the field is the secret. */
const checkedField = (type: ChannelType): string => {
  const secret = Object.entries(CHANNEL_FORMS[type].fields).find(([, { isSecret }]) => isSecret);
  return secret === undefined ? 'settings' : `settings.${secret[0]}`;
};

/**
 * Checks what a user writes, over the network too, and seals it. `stored` null: a new channel. Throws
 * `invalid_parameter` with the field and the remedy.
 */
export async function checkChannel(
  { secretBox, drivers, config }: Pick<Deps, 'secretBox' | 'drivers' | 'config'>,
  { type, name, settings, routing }: ChannelRequest,
  id: string,
  stored: ChannelRecord | null,
): Promise<ChannelEntry> {
  const target = readSettings(type, settings, stored && targetOf(secretBox, stored).target);
  await refusePrivate(type, target, config.allowedPrivateRanges);
  const verdict = await drivers[type].check?.(target);
  if (verdict?.outcome === 'refused')
    throw new CodedError('invalid_parameter', `${checkedField(type)}: ${verdict.detail}`, {
      field: checkedField(type),
      remedy: 'Use the values that the provider shows.',
    });
  return {
    id,
    type,
    name,
    settings: target.settings,
    sealedSecrets: sealSecrets(secretBox, id, target.secrets),
    secretEnds: secretEndsOf(target.secrets),
    routing: routingOf(routing),
  };
}
