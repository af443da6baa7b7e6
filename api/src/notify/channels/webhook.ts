import { createHmac } from 'node:crypto';
import type { ChannelDriver, Notification } from '../types.ts';
import { post, WEBHOOK, type ChannelNetwork } from './http.ts';

/** The body of a webhook. Fields are only ever added. */
const webhookBody = ({ isTest, hostname, level, title, lines, link, alerts, cause, at }: Notification): string =>
  JSON.stringify({
    version: 1,
    test: isTest,
    title,
    lines,
    hostname,
    level,
    link,
    sent_at: new Date(at).toISOString(),
    alerts: alerts.map(({ alertId, state, level: grade, text }) => ({ alert_id: alertId, state, level: grade, text })),
    cause: cause && {
      findings: cause.findings,
      mechanism: cause.mechanism,
      mechanism_title: cause.mechanismTitle,
      since: cause.since,
      entities: cause.entities,
      next: cause.next,
      quote: cause.quote,
    },
  });

/** Returns `t=SECONDS,v1=HEX`: HMAC-SHA256 of `SECONDS.BODY`. A receiver refuses an old time, so that no copy is replayed. */
const signature = (secret: string, body: string, at: number): string => {
  const seconds = String(Math.floor(at / 1000));
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
};

export const createWebhook = (network: ChannelNetwork): ChannelDriver => ({
  send: ({ secrets }, notification) => {
    const body = webhookBody(notification);
    const secret = secrets['secret'];
    const headers = secret === undefined ? {} : { 'x-plimsoll-signature': signature(secret, body, notification.at) };
    return post(network, { url: secrets['url'] ?? '', body, headers }, WEBHOOK);
  },
});
