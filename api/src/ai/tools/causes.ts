import { alertsAnswer, type Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { causeAnswer, type CauseAnswer, type CauseEntity } from '@plimsoll/contract/wire/causes';
import { incidentAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { alertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import type { AnswerSource } from '@plimsoll/contract/wire/ai';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool, ToolContext } from '../types.ts';
import { chosenServer } from './named-server.ts';
import { MOST_ROWS, tool } from './tool.ts';

/** Alerts that are searched for the newest one of a server or a workload. */
const MOST_ALERTS = 200;

const shapeEntity = ({ kind, object_kind: objectKind, namespace, name }: CauseEntity) => ({
  kind: objectKind ?? kind,
  name: namespace === null ? name : `${namespace}/${name}`,
});

/** The answer without links: the screens beside it lead there. */
const shapeAnswer = ({ causes, victims, ruled_out: ruledOut, ...answer }: CauseAnswer) => ({
  ...answer,
  causes: causes.map(({ entities, evidence, ...cause }) => ({
    ...cause,
    entities: entities.map(shapeEntity),
    evidence: evidence.map(({ text, at }) => ({ at, text })),
  })),
  victims: victims.slice(0, MOST_ROWS).map(({ entity, text }) => ({ ...shapeEntity(entity), text })),
  ruled_out: ruledOut.slice(0, MOST_ROWS).map(({ text, reason }) => ({ text, reason })),
});

interface Asked {
  server?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
}

/** Returns the alert that was opened last; an open one before one that is over. */
async function newestAlert(context: ToolContext, { server, namespace, name }: Asked): Promise<Alert | null> {
  const chosen = await chosenServer(context, server);
  const fits = ({ kubernetes: place }: Alert): boolean =>
    (namespace === undefined || place?.namespace === namespace) && (name === undefined || place?.name === name);
  for (const status of ['active', undefined] as const) {
    const { alerts } = await context.read('/api/data/notifications', alertsAnswer, {
      query: { limit: MOST_ALERTS, server_id: chosen?.id, status, folded: 'false' },
    });
    const found = alerts.find(fits);
    if (found !== undefined) return found;
  }
  return null;
}

interface Found {
  answer: CauseAnswer;
  source: AnswerSource;
}

async function ofIncident({ read }: ToolContext, id: string): Promise<Found> {
  const [answer, { incident }] = await Promise.all([
    read('/api/incidents/:id/cause', causeAnswer, { params: { id } }),
    read('/api/incidents/:id', incidentAnswer, { params: { id } }),
  ]);
  const [lead] = incident.members;
  return { answer, source: lead === undefined ? screens.alerts(null) : screens.alert(lead.alert_id, incident.title) };
}

async function ofAlert({ read }: ToolContext, id: string): Promise<Found> {
  const [answer, { alert }] = await Promise.all([
    read('/api/alerts/:id/cause', causeAnswer, { params: { id } }),
    read('/api/alerts/:id', alertDetailAnswer, { params: { id } }),
  ]);
  return { answer, source: screens.alert(id, alert.title) };
}

/** The answer of the analyser, which no model takes part in. */
export const causeTools: readonly Tool[] = [
  tool({
    name: 'likely_cause',
    description:
      'Returns the likely cause of an incident or an alert with its evidence, what fails because of it, what was ruled out and the next step. Computed by rules, without a model. Read it first when something broke. Without an id: of the newest alert of a server or a workload, or of all.',
    input: z.object({
      incident_id: z.string().max(64).optional().describe('from list_incidents'),
      alert_id: z.string().max(64).optional().describe('from list_alerts'),
      server: z.string().max(200).optional(),
      namespace: z.string().min(1).max(253).optional(),
      name: z.string().min(1).max(253).optional().describe('name of a workload, a node or a volume'),
    }),
    async run({ incident_id: incidentId, alert_id: alertId, ...asked }, context) {
      if (incidentId !== undefined) return resultOf(await ofIncident(context, incidentId));
      const id = alertId ?? (await newestAlert(context, asked))?.alert_id;
      if (id === undefined)
        return { content: { status: 'no_alert', note: 'No alert is known of it.' }, sources: [screens.alerts(null)] };
      return resultOf(await ofAlert(context, id));
    },
  }),
];

const resultOf = ({ answer, source }: Found) => ({
  content: { about: source.title, ...shapeAnswer(answer) },
  sources: [source],
});
