import { cut } from '../message.ts';
import type { ChannelDriver, Notification, NotifiedAlert, SendResult } from '../types.ts';
import { fieldOf, post, type ChannelNetwork } from './http.ts';

const URLS: Readonly<Record<string, string>> = {
  us: 'https://events.pagerduty.com/v2/enqueue',
  eu: 'https://events.eu.pagerduty.com/v2/enqueue',
};
const MOST_SUMMARY_CHARACTERS = 1024;

/** One event per alert: the alert's id is the dedup key, so that a repeated event changes nothing. */
function eventOf(key: unknown, alert: NotifiedAlert, { hostname, link, cause }: Notification): object {
  const event = { routing_key: key, dedup_key: `plimsoll/${alert.alertId}` };
  if (alert.state === 'resolved') return { ...event, event_action: 'resolve' };
  return {
    ...event,
    event_action: 'trigger',
    payload: {
      summary: cut(`${hostname}: ${alert.text}`, MOST_SUMMARY_CHARACTERS),
      source: hostname,
      severity: alert.level,
      ...(cause !== null && {
        custom_details: {
          likely_cause: cause.findings.join('\n'),
          next: cause.next,
          ...(cause.quote !== null && { quote: cause.quote }),
        },
      }),
    },
    ...(link !== null && { links: [{ href: link, text: 'Open in Plimsoll' }] }),
  };
}

/** Sends to PagerDuty's Events API v2. A test message triggers an incident and resolves it. */
export const createPagerDuty = (network: ChannelNetwork, urls = URLS): ChannelDriver => ({
  send: async ({ settings, secrets }, notification) => {
    const url = urls[String(settings['region'])] ?? '';
    const test = { alertId: `test-${String(notification.at)}`, level: 'info' as const, text: 'test message' };
    const alerts: readonly NotifiedAlert[] = notification.isTest
      ? [
          { ...test, state: 'firing' },
          { ...test, state: 'resolved' },
        ]
      : notification.alerts;
    let result: SendResult = { outcome: 'delivered', detail: 'PagerDuty took the message.' };
    for (const alert of alerts) {
      const body = JSON.stringify(eventOf(secrets['routing_key'], alert, notification));
      result = await post(network, { url, body }, 'PagerDuty', (answer) => {
        const text = fieldOf(answer, 'message');
        return typeof text === 'string' ? { text } : {};
      });
      if (result.outcome !== 'delivered') return result;
    }
    return result;
  },
});
