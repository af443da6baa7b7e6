import type { Connection } from '../../../../api/src/database/connection.ts';
import { query } from '../../../e2e/query.ts';

export interface StoredAlert {
  id: string;
  serverId: string | null;
  metric: string;
  openedAt: Date;
  /** Null while it fires. */
  resolvedAt: Date | null;
}
/** One alert of one webhook. */
export interface Delivery {
  alertId: string;
  state: string;
}

export const alertsIn = (connection: Connection): Promise<StoredAlert[]> =>
  query<StoredAlert & { [column: string]: unknown }>(
    connection,
    `SELECT a.id, s.id AS "serverId", a.metric, a.opened_at AS "openedAt", a.resolved_at AS "resolvedAt"
      FROM alert a LEFT JOIN server s ON s.key = a.server_key ORDER BY a.opened_at`,
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

const keyOf = ({ serverId, metric }: { serverId: string | null; metric: string }): string =>
  `${String(serverId)} ${metric}`;

/** Returns a line for each alert that opened more than once, with the times of each. */
export const doubledOf = (stored: readonly StoredAlert[]): string[] =>
  [...Map.groupBy(stored, keyOf)].flatMap(([key, alerts]) => {
    const times = alerts.map(
      ({ openedAt, resolvedAt }) => `${openedAt.toISOString()} to ${resolvedAt?.toISOString() ?? 'now'}`,
    );
    return alerts.length > 1 ? [`${key}: ${times.join(', ')}`] : [];
  });

/** `due` names each server that gave a reason for an alert. */
export function judgeAlerts(
  due: readonly { serverId: string; metric: string }[],
  stored: readonly StoredAlert[],
  deliveries: readonly Delivery[],
): AlertVerdict {
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
