import type { Connection } from '../../../api/src/database/connection.ts';
import { query } from '../../e2e/query.ts';

export interface StoredAlert {
  id: string;
  serverId: string | null;
  metric: string;
}
/** One alert of one webhook. */
export interface Delivery {
  alertId: string;
  state: string;
}

export const alertsIn = (connection: Connection): Promise<StoredAlert[]> =>
  query<StoredAlert & { [column: string]: unknown }>(
    connection,
    `SELECT a.id, s.id AS "serverId", a.metric FROM alert a LEFT JOIN server s ON s.key = a.server_key`,
  );

/** Returns the alerts of webhooks that arrived. */
export function deliveriesOf(bodies: readonly string[]): Delivery[] {
  return bodies.flatMap((body) => {
    const { alerts } = JSON.parse(body) as { alerts: { alert_id: string; state: string }[] };
    return alerts.map(({ alert_id: alertId, state }) => ({ alertId, state }));
  });
}

/** Counts of what differs from one alert for each that is due, delivered once when it fires and once when it ends. */
export interface AlertVerdict {
  isHeld: boolean;
  lost: number;
  doubled: number;
  /** Alerts that nothing justifies. */
  untrue: number;
  undelivered: number;
  deliveredAgain: number;
}

/** `due` names each server that gave a reason for an alert. */
export function judgeAlerts(
  due: readonly { serverId: string; metric: string }[],
  stored: readonly StoredAlert[],
  deliveries: readonly Delivery[],
): AlertVerdict {
  const keyOf = ({ serverId, metric }: Omit<StoredAlert, 'id'>): string => `${String(serverId)} ${metric}`;
  const reasons = new Set(due.map(keyOf));
  const expected = stored.filter((alert) => reasons.has(keyOf(alert)));
  const opened = new Set(expected.map(keyOf));
  const messages = deliveries.map(({ alertId, state }) => `${alertId} ${state}`);
  const arrived = new Set(messages);
  const dueMessages = expected.flatMap(({ id }) => [`${id} firing`, `${id} resolved`]);
  const verdict = {
    lost: reasons.size - opened.size,
    doubled: expected.length - opened.size,
    untrue: stored.length - expected.length,
    undelivered: dueMessages.filter((message) => !arrived.has(message)).length,
    deliveredAgain: messages.length - arrived.size,
  };
  return { isHeld: due.length > 0 && Object.values(verdict).every((count) => count === 0), ...verdict };
}
