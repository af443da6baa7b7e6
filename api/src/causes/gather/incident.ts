import { alertDetailAnswer } from '@plimsoll/contract/wire/alert-detail';
import { incidentAnswer } from '@plimsoll/contract/wire/incidents';
import type { ToolContext } from '../../ai/types.ts';
import { emptyEvidence, type AlertSeen, type Evidence } from '../evidence.ts';

const seen = (id: string, title: string, message: string, at: number): AlertSeen => ({
  id,
  metric: '',
  title,
  message,
  at,
  subject: '',
  serverId: null,
  hostname: null,
  object: null,
});

/** Reads what was recorded around an incident. */
export async function gatherForIncident({ read, now }: ToolContext, incidentId: string): Promise<Evidence> {
  const { incident } = await read('/api/incidents/:id', incidentAnswer, { params: { id: incidentId } });
  const at = Date.parse(incident.opened_at) / 1000;
  return {
    ...emptyEvidence(at, now),
    alerts: incident.members.map(({ alert_id: id, title, message }) => seen(id, title, message, at)),
  };
}

/** Reads what was recorded around an alert. */
export async function gatherForAlert({ read, now }: ToolContext, alertId: string): Promise<Evidence> {
  const { alert } = await read('/api/alerts/:id', alertDetailAnswer, { params: { id: alertId } });
  const { alert_id: id, title, message, timestamp: at } = alert;
  return { ...emptyEvidence(at, now), alerts: [seen(id, title, message, at)] };
}
