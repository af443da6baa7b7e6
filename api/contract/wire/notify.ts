import { z } from 'zod';
import { ALERT_LEVELS } from '../rules/limits.ts';
import { CHANNEL_TYPES, DEFAULT_REPEAT_MINUTES, DELIVERY_OUTCOMES, NOTIFY_LIMITS } from '../rules/notify.ts';
import { managedObject } from './managed-object.ts';
import { typedName } from './typed-name.ts';

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');

/** Which alerts go through a channel, and when. */
export const routing = z.strictObject({
  levels: z
    .array(z.enum(ALERT_LEVELS))
    .min(1)
    .max(ALERT_LEVELS.length)
    .default([...ALERT_LEVELS]),
  /** The server must carry all of them; none: every server. */
  tags: z
    .record(z.string().min(1).max(64), z.string().max(128))
    .refine((tags) => Object.keys(tags).length <= NOTIFY_LIMITS.tags, {
      message: `must be at most ${String(NOTIFY_LIMITS.tags)} tags`,
    })
    .default({}),
  /** Messages wait for the end of the quiet hours. Critical ones pass unless `critical_passes` is false. */
  quiet_hours: z
    .strictObject({
      from: timeOfDay,
      to: timeOfDay,
      time_zone: z.string().max(64).refine(isTimeZone, 'must be a time zone such as Europe/Berlin'),
      critical_passes: z.boolean().default(true),
    })
    .refine(({ from, to }) => from !== to, { message: 'must differ from quiet_hours.from', path: ['to'] })
    .nullable()
    .default(null),
  /** Sends an open, unacknowledged critical or error alert again after this many minutes; null: once only. */
  repeat_minutes: z
    .int()
    .min(NOTIFY_LIMITS.repeatMinutes.min)
    .max(NOTIFY_LIMITS.repeatMinutes.max)
    .nullable()
    .default(DEFAULT_REPEAT_MINUTES),
});

/** `settings` depends on the type: docs/alerts.md. A secret that is left out in PUT stays as it is. */
export const channelRequest = z.strictObject({
  type: z.enum(CHANNEL_TYPES),
  name: typedName(64),
  settings: z.record(z.string().max(64), z.unknown()),
  routing: routing.default(() => routing.parse({})),
});

export const channel = z.object({
  id: z.uuid(),
  type: z.enum(CHANNEL_TYPES),
  name: z.string(),
  /** Without the secrets. */
  settings: z.record(z.string(), z.unknown()),
  /** The last 4 characters of each secret, behind the host where the secret is a web address. */
  secrets: z.record(z.string(), z.string()),
  routing,
  /** Only the variables of the API change a channel of the environment, only the Helm values that of a cluster. */
  managed_by: z.enum(['user', 'environment', 'cluster']),
  /** Only this custom resource changes the channel. */
  object: managedObject.nullable().optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** Changes of alerts that this channel has not delivered yet. */
  waiting: z.int(),
  last_delivery: z.object({ at: z.iso.datetime(), outcome: z.enum(DELIVERY_OUTCOMES), detail: z.string() }).nullable(),
});
export const channelsAnswer = z.object({
  channels: z.array(channel),
  total: z.int(),
  /** False: PLIMSOLL_PUBLIC_URL is not set, so messages cannot link to the dashboard. */
  messages_link: z.boolean(),
});
export const channelTestAnswer = z.object({ outcome: z.enum(['delivered', 'failed', 'refused']), detail: z.string() });

export const deliveriesAnswer = z.object({
  deliveries: z.array(
    z.object({
      id: z.int(),
      channel_id: z.uuid(),
      channel_name: z.string(),
      type: z.enum(CHANNEL_TYPES),
      at: z.iso.datetime(),
      outcome: z.enum(DELIVERY_OUTCOMES),
      detail: z.string(),
      hostname: z.string(),
      alert_ids: z.array(z.uuid()),
      attempt: z.int(),
    }),
  ),
  total: z.int(),
});

/** GET and PUT /api/notify/settings: what the messages of all channels may contain. */
export const messageSettings = z.strictObject({
  /** A message may quote one log line, which leaves the installation with it. */
  quote_log_lines: z.boolean(),
});
export type MessageSettingsView = z.infer<typeof messageSettings>;
export type ChannelRequest = z.output<typeof channelRequest>;
export type ChannelsAnswer = z.infer<typeof channelsAnswer>;
export type ChannelTestAnswer = z.infer<typeof channelTestAnswer>;
export type DeliveriesAnswer = z.infer<typeof deliveriesAnswer>;
export type ChannelView = z.infer<typeof channel>;
export type RoutingView = z.infer<typeof routing>;
