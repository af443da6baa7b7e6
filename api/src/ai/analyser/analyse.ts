import { alertDetailAnswer } from '@plimsoll/contract/wire/alert-detail';
import type { ExplainSubject } from '@plimsoll/contract/wire/ai';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { incidentAnswer } from '@plimsoll/contract/wire/incidents';
import { eventsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { CodedError } from '../../errors.ts';
import { runTool, type ToolRun } from '../run-tool.ts';
import { screens } from '../screen-links.ts';
import { TOOLS } from '../tools/all.ts';
import type { AnswerPart, CheckedAnswer, ToolContext } from '../types.ts';
import { findCauses } from './causes.ts';
import type { Cause, Evidence } from './evidence.ts';
import { gatherPod, gatherServer } from './gather-evidence.ts';
import { intentOf, WORKING_QUESTIONS } from './intent.ts';
import { escaped, REPORTS } from './reports.ts';

interface Analysed {
  question: string;
  explain: ExplainSubject | undefined;
  context: ToolContext;
  onPart: (part: AnswerPart) => void;
}

const INTRODUCTION = 'No model is configured: this is what the data says.';

/** Answers from the figures alone, without a model. A question it does not understand gets those it does. */
export async function analyse(asked: Analysed): Promise<CheckedAnswer> {
  const found = asked.explain === undefined ? await answer(asked) : await explain(asked.explain, asked.context);
  const text = `${INTRODUCTION}\n\n${found.text}`;
  asked.onPart({ kind: 'text', text });
  return { answer: text, mode: 'analyser', sources: found.sources, charts: found.charts, unmatched: [] };
}

interface Written {
  text: string;
  sources: CheckedAnswer['sources'];
  charts: CheckedAnswer['charts'];
}

async function answer({ question, context, onPart }: Analysed): Promise<Written> {
  const intent = intentOf(question);
  if (intent === null) {
    const known = WORKING_QUESTIONS.map((line) => `- ${line}`).join('\n');
    return { text: `This question needs a model. These work without one:\n\n${known}`, sources: [], charts: [] };
  }
  const { tools, write } = REPORTS[intent];
  const runs: ToolRun[] = [];
  for (const { name, input } of tools) {
    const tool = TOOLS.find((entry) => entry.name === name);
    if (tool === undefined) throw new TypeError(`There is no tool ${name}`);
    onPart({ kind: 'tool', name, state: 'started' });
    const run = await runTool(tool, input, context);
    onPart({ kind: 'tool', name, state: run.failed ? 'failed' : 'done' });
    if (run.failed) throw new CodedError('internal', `The tool ${name} failed: ${JSON.stringify(run.content)}`);
    runs.push(run);
  }
  return {
    text: write(runs.map(({ content }) => content)),
    sources: runs.flatMap(({ sources }) => sources),
    charts: runs.flatMap(({ charts }) => charts),
  };
}

async function explain(subject: ExplainSubject, context: ToolContext): Promise<Written> {
  if (subject.kind === 'pod') {
    const evidence = await gatherPod(context, { ...subject, clusterId: subject.cluster_id });
    return {
      text: report(`Pod ${evidence.hostname}`, findCauses(evidence)),
      sources: [screens.pods({ namespace: subject.namespace, search: subject.pod })],
      charts: [],
    };
  }
  if (subject.kind === 'range') {
    const at = Math.min(subject.to, context.now);
    const evidence = await gatherServer(context, { serverId: subject.server_id, metric: null, mount: null, at });
    return ofServer(subject.server_id, evidence, `${evidence.hostname}, selected range`, subject);
  }
  if (subject.kind === 'incident') return ofIncident(subject.incident_id, context);
  return ofAlert(subject.alert_id, context);
}

/** Explains an incident by its leading alert, which caused the others. */
async function ofIncident(incidentId: string, context: ToolContext): Promise<Written> {
  const { incident } = await context.read('/api/incidents/:id', incidentAnswer, { params: { id: incidentId } });
  const [leading] = incident.members;
  const hosts = new Set(incident.members.map(({ hostname }) => hostname)).size;
  const alerts = `${String(incident.alerts)} ${incident.alerts === 1 ? 'alert' : 'alerts'}`;
  const size = `**Incident:** ${escaped(incident.title)}. ${alerts}, ${String(incident.folded)} of them explained by its cause${hosts > 1 ? `, on ${String(hosts)} hosts` : ''}.`;
  if (leading === undefined)
    return { text: `${size}\n\nThe incident has no alert of its own.`, sources: [screens.alerts(null)], charts: [] };
  const written = await ofAlert(leading.alert_id, context);
  return { ...written, text: `${size}\n\n${written.text}` };
}

async function ofAlert(alertId: string, context: ToolContext): Promise<Written> {
  const { alert, rule } = await context.read('/api/alerts/:id', alertDetailAnswer, { params: { id: alertId } });
  const about = `${alert.title} on ${alert.tags.hostname}: ${alert.message} (rule: ${rule.text})`;
  const { server_id: serverId, timestamp: at } = alert;
  if (serverId === null) return ofCluster(alert, about, context);
  const mount = typeof alert.tags['subject'] === 'string' ? alert.tags['subject'] : null;
  const evidence = await gatherServer(context, { serverId, metric: alert.metric_name, mount, at });
  return ofServer(serverId, evidence, about, { from: at - 6 * 3600, to: Math.min(context.now, at + 3600) });
}

const MOST_EVENTS = 10;

/** An alert of a cluster has no series of a server: what Kubernetes itself says stands for the cause. */
async function ofCluster(alert: Alert, subject: string, { read }: ToolContext): Promise<Written> {
  const clusterId = alert.kubernetes?.cluster_id;
  const namespace = alert.kubernetes?.namespace ?? undefined;
  const { events } = await read('/api/kubernetes/events', eventsAnswer, {
    query: { cluster_id: clusterId, namespace, type: 'Warning', limit: MOST_EVENTS },
  });
  const rows = events.map(
    ({ reason, kind, name, message, count }) =>
      `- ${escaped(`${reason}: ${kind} ${name}, ${String(count)} times: ${message}`)}`,
  );
  return {
    text: [
      `**${subject}**`,
      rows.length === 0
        ? '**Finding:** Kubernetes reports no warning of the last 24 h about it.'
        : `**Evidence:** warnings of Kubernetes, newest first\n${rows.join('\n')}`,
      '**Next:** Open the workload below and read the log of its last run.',
    ].join('\n\n'),
    sources: [screens.pods({ namespace }), screens.cluster(clusterId ?? null)],
    charts: [],
  };
}

function ofServer(serverId: string, evidence: Evidence, subject: string, range: { from: number; to: number }): Written {
  const { from, to } = range;
  const metric = evidence.metric?.startsWith('memory')
    ? 'memory'
    : evidence.metric?.startsWith('disk')
      ? 'disk'
      : 'cpu';
  return {
    text: report(subject, findCauses(evidence)),
    sources: [
      screens.server(serverId, evidence.hostname, range),
      screens.serverAt(serverId, evidence.hostname, evidence.at),
      screens.activity(serverId, range),
    ],
    charts: [{ server_id: serverId, title: `${metric} of ${evidence.hostname}`, metric, from, to }],
  };
}

/** Finding, evidence, what to do next. */
function report(subject: string, causes: readonly Cause[]): string {
  const [first, ...others] = causes;
  if (first === undefined)
    return `**${subject}**\n\nNo known pattern fits. The figures around it are on the screens below.`;
  const rest = others.slice(0, 2);
  return [
    `**${subject}**`,
    `**Finding:** ${first.finding}`,
    `**Evidence:**\n${first.evidence.map((line) => `- ${line}`).join('\n')}`,
    `**Next:** ${first.next}`,
    ...(rest.length === 0 ? [] : [`Also possible:\n${rest.map(({ finding }) => `- ${finding}`).join('\n')}`]),
  ].join('\n\n');
}
