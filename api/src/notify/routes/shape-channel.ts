import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import type { ChannelView, RoutingView } from '@plimsoll/contract/wire/notify';
import { iso } from '../../http/units.ts';
import { shapeObject } from '../../kubernetes/managed-object.ts';
import { secretEndsOf, splitSecrets } from '../channel-input.ts';
import type { ChannelState, Routing } from '../types.ts';

const shapeRouting = ({ levels, tags, quietHours: quiet, repeatMinutes }: Routing): RoutingView => ({
  levels: [...levels],
  tags: { ...tags },
  quiet_hours: quiet && {
    from: quiet.from,
    to: quiet.to,
    time_zone: quiet.timeZone,
    critical_passes: quiet.criticalPasses,
  },
  repeat_minutes: repeatMinutes,
});

/** A setting that the form of its kind calls a secret never leaves, wherever it is stored. */
export function shapeChannel(state: ChannelState): ChannelView {
  const { open, secrets } = splitSecrets(CHANNEL_FORMS[state.type], state.settings);
  return {
    id: state.id,
    type: state.type,
    name: state.name,
    settings: { ...open },
    secrets: { ...secretEndsOf(secrets), ...state.secretEnds },
    routing: shapeRouting(state.routing),
    managed_by: state.managedBy,
    object: shapeObject('NotificationChannel', state.object),
    created_at: iso(state.createdAt),
    updated_at: iso(state.updatedAt),
    waiting: state.waiting,
    last_delivery: state.lastDelivery && { ...state.lastDelivery, at: iso(state.lastDelivery.at) },
  };
}
