import type { ChannelType } from '@plimsoll/contract/rules/notify';
import { CHANNEL_NAME } from '../../../format/delivery-words.ts';

export interface FieldWords {
  label: string;
  hint?: string;
  placeholder?: string;
  /** Form of the value; without it as plain text. */
  kind?: 'number' | 'list' | 'lines' | { choices: readonly { value: string; label: string }[] };
}
export interface ChannelWords {
  name: string;
  /** One sentence: where the values come from. */
  start: string;
  /** By the name of the setting, in the order of the form. */
  fields: Readonly<Record<string, FieldWords>>;
}

/** "••••f4Qk", or a web address as the API shortens it: "https://example.com/…f4Qk". */
export const shownSecret = (shown: string): string => (shown.includes('…') ? shown : `••••${shown}`);

const webhookUrl = (placeholder: string): FieldWords => ({ label: 'Webhook URL', placeholder });

/** Texts of the set-up form of each kind of channel. `channel-forms.ts` of the contract validates. */
export const CHANNEL_WORDS: Record<ChannelType, ChannelWords> = {
  telegram: {
    name: CHANNEL_NAME.telegram,
    start: 'Create a bot with @BotFather, add it to the chat, and send one message there.',
    fields: {
      bot_token: { label: 'Bot token', placeholder: '123456:ABC…', hint: '@BotFather shows it after /newbot.' },
      chat_id: { label: 'Chat id', placeholder: '-1001234567890', hint: 'The id of a chat or group, or @channel.' },
      topic_id: { label: 'Topic id', kind: 'number', hint: 'Optional. Only in groups with topics.' },
    },
  },
  webhook: {
    name: CHANNEL_NAME.webhook,
    start: 'Plimsoll sends each message as JSON to your address.',
    fields: {
      url: { label: 'URL', placeholder: 'https://example.com/hook' },
      secret: {
        label: 'Signing secret',
        hint: 'Optional, at least 16 characters. Signs each message with HMAC-SHA256.',
      },
    },
  },
  email: {
    name: CHANNEL_NAME.email,
    start: 'Plimsoll sends through your mail server.',
    fields: {
      host: { label: 'SMTP host', placeholder: 'smtp.example.com' },
      port: { label: 'Port', kind: 'number', placeholder: '587' },
      security: {
        label: 'Security',
        kind: {
          choices: [
            { value: 'starttls', label: 'STARTTLS (usually port 587)' },
            { value: 'tls', label: 'TLS (usually port 465)' },
            { value: 'none', label: 'None: unencrypted, without a user name' },
          ],
        },
      },
      ca: {
        label: 'Certificates',
        kind: 'lines',
        placeholder: '-----BEGIN CERTIFICATE-----',
        hint: 'Optional. PEM text of your own authority, if no public one signed the mail server.',
      },
      username: { label: 'User name', hint: 'Optional.' },
      password: { label: 'Password', hint: 'Optional.' },
      from: { label: 'From', placeholder: 'plimsoll@example.com' },
      to: { label: 'To', kind: 'list', placeholder: 'ops@example.com', hint: 'Separate addresses with commas.' },
    },
  },
  slack: {
    name: CHANNEL_NAME.slack,
    start: 'In your Slack app, switch Incoming Webhooks on and add one for the channel.',
    fields: { webhook_url: webhookUrl('https://hooks.slack.com/services/…') },
  },
  discord: {
    name: CHANNEL_NAME.discord,
    start: 'In the channel settings, open Integrations, Webhooks, and copy the URL of a new one.',
    fields: { webhook_url: webhookUrl('https://discord.com/api/webhooks/…') },
  },
  ntfy: {
    name: CHANNEL_NAME.ntfy,
    start: 'Subscribe to the topic in the ntfy app. Anyone with the name of an open topic can read it.',
    fields: {
      server: { label: 'Server', placeholder: 'https://ntfy.sh' },
      topic: { label: 'Topic', placeholder: 'plimsoll-7d3f9a' },
      token: { label: 'Access token', hint: 'Optional. For a topic with access control.' },
    },
  },
  teams: {
    name: CHANNEL_NAME.teams,
    start: 'In Teams, add the workflow "Send webhook alerts to a channel" and copy its URL.',
    fields: { webhook_url: webhookUrl('https://….logic.azure.com/workflows/…') },
  },
  pagerduty: {
    name: CHANNEL_NAME.pagerduty,
    start: 'In your service, add the integration Events API v2 and copy its key.',
    fields: {
      routing_key: { label: 'Integration key', hint: '32 characters.' },
      region: {
        label: 'Service region',
        kind: {
          choices: [
            { value: 'us', label: 'US' },
            { value: 'eu', label: 'EU' },
          ],
        },
      },
    },
  },
};
