import { alertDetailAnswer } from '@plimsoll/contract/wire/alert-detail';
import type { AnswerChart, ExplainSubject } from '@plimsoll/contract/wire/ai';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { incidentAnswer, type IncidentAnswer } from '@plimsoll/contract/wire/incidents';
import { eventsAnswer, kubernetesNode, podsAnswer, type Pod } from '@plimsoll/contract/wire/kubernetes';
import { CodedError } from '../../errors.ts';
import { screens } from '../screen-links.ts';
import { hostSeries } from '../tools/series.ts';
import type { AnswerPart, CheckedAnswer, ToolContext } from '../types.ts';
import { answerQuestion, type Written } from './answer-question.ts';
import { findCauses } from './causes.ts';
import { HOUR, type Cause, type Evidence } from './evidence.ts';
import { gatherNode, gatherPod, gatherServer } from './gather-evidence.ts';
import { chartTitle } from '../chart-title.ts';
import { escaped } from './reports.ts';
import { outstandingIn } from './shift.ts';

interface Analysed {
  question: string;
  explain: ExplainSubject | undefined;
  context: ToolContext;
  onPart: (part: AnswerPart) => void;
}

/** A figure that stands out less, in per cent points, is noise. */
const OUTSTANDING_POINTS = 10;
const INTRODUCTION = 'No model is configured: this is what the data says.';

/** Answers from the figures alone, without a model. A question it does not understand gets those it does. */
export async function analyse(asked: Analysed): Promise<CheckedAnswer> {
  const found = asked.explain === undefined ? await answerQuestion(asked) : await explain(asked.explain, asked.context);
  const text = `${INTRODUCTION}\n\n${found.text}`;
  asked.onPart({ kind: 'text', text });
  return { answer: text, mode: 'analyser', sources: found.sources, charts: found.charts, unmatched: [] };
}

async function explain(subject: ExplainSubject, context: ToolContext): Promise<Written> {
  if (subject.kind === 'pod') {
    const { namespace, pod, cluster_id: clusterId } = subject;
    const evidence = await gatherPod(context, { namespace, pod, clusterId });
    return {
      text: report(`Pod ${evidence.hostname}`, findCauses(evidence)),
      sources: [
        clusterId === undefined
          ? screens.pods({ namespace, search: pod })
          : screens.pod({ cluster_id: clusterId, namespace, pod_name: pod }),
      ],
      charts: [],
    };
  }
  if (subject.kind === 'range') {
    const at = await momentOf(subject, context);
    const evidence = await gatherServer(context, { serverId: subject.server_id, metric: null, mount: null, at });
    return ofServer(subject.server_id, evidence, `${evidence.hostname}, selected range`, { range: subject, context });
  }
  if (subject.kind === 'incident') return ofIncident(subject.incident_id, context);
  return ofAlert(subject.alert_id, context);
}

/** The end of a chosen range may be quiet again: the moment is that at which its figures stand out most. */
async function momentOf(range: { server_id: string; from: number; to: number }, context: ToolContext): Promise<number> {
  const end = Math.min(range.to, context.now);
  const around = { from: range.from - 6 * HOUR, to: Math.min(context.now, range.to + HOUR) };
  const series = await hostSeries(context, range.server_id, around);
  const moments = [series.cpu, series.memory, series.io_wait, series.swap]
    .map((points) => outstandingIn(points, range))
    .filter((found) => found !== null && found.value >= OUTSTANDING_POINTS);
  return moments.toSorted((a, b) => (b?.value ?? 0) - (a?.value ?? 0))[0]?.at ?? end;
}

/** Explains an incident by its leading alert, which caused the others. */
async function ofIncident(incidentId: string, context: ToolContext): Promise<Written> {
  const { incident } = await context.read('/api/incidents/:id', incidentAnswer, { params: { id: incidentId } });
  const [leading] = incident.members;
  const hosts = new Set(incident.members.map(({ hostname }) => hostname)).size;
  const alerts = `${String(incident.alerts)} ${incident.alerts === 1 ? 'alert' : 'alerts'}${hosts > 1 ? ` on ${String(hosts)} hosts` : ''}`;
  const size = `**Incident:** ${escaped(incident.title)}. ${alerts}${foldedWords(incident)}`;
  if (leading === undefined)
    return { text: `${size}\n\nThe incident has no alert of its own.`, sources: [screens.alerts(null)], charts: [] };
  const written = await ofAlert(leading.alert_id, context);
  return { ...written, text: `${size}\n\n${written.text}` };
}

const MOST_FOLDED = 5;
/** ", 1 of them explained by its cause: Memory usage above 80% on web-1." */
function foldedWords({ folded, members }: IncidentAnswer['incident']): string {
  if (folded === 0) return '.';
  const shown = members.filter((member) => member.folded).slice(0, MOST_FOLDED);
  const names = shown.map(({ title, hostname }) => escaped(hostname === null ? title : `${title} on ${hostname}`));
  const more = folded > shown.length ? ` and ${String(folded - shown.length)} more` : '';
  return `, ${String(folded)} of them explained by its cause: ${names.join(', ')}${more}.`;
}

async function ofAlert(alertId: string, context: ToolContext): Promise<Written> {
  const { alert, rule } = await context.read('/api/alerts/:id', alertDetailAnswer, { params: { id: alertId } });
  const about = `${alert.title} on ${alert.tags.hostname}: ${alert.message} (rule: ${rule.text})`;
  const { server_id: serverId, timestamp: at } = alert;
  if (serverId === null) return ofCluster(alert, about, context);
  const mount = typeof alert.tags['subject'] === 'string' ? alert.tags['subject'] : null;
  const evidence = await gatherServer(context, { serverId, metric: alert.metric_name, mount, at });
  const range = { from: at - 6 * 3600, to: Math.min(context.now, at + 3600) };
  const written = ofServer(serverId, evidence, about, { range, context });
  return { ...written, sources: [screens.alert(alertId, alert.title), ...written.sources] };
}

const MOST_EVENTS = 10;

/** An alert of a cluster is about a node, or about a workload, whose worst pod stands for it. */
async function ofCluster(alert: Alert, subject: string, context: ToolContext): Promise<Written> {
  const { kubernetes, metric_name: metric, timestamp: at } = alert;
  const clusterId = kubernetes?.cluster_id;
  const events = await ofEvents(alert, subject, context);
  if (kubernetes != null && metric.startsWith('node_') && kubernetes.name !== null) {
    const node = await context
      .read('/api/kubernetes/nodes/:node', kubernetesNode, {
        params: { node: kubernetes.name },
        query: { cluster_id: clusterId },
      })
      .catch(orNothing);
    if (node !== null)
      return withCauses(
        await gatherNode(context, { serverId: node.server_id, name: node.node_name, metric, at }),
        events,
        subject,
        [screens.node(node.server_id, node.node_name, { from: at - 6 * HOUR, to: Math.min(context.now, at + HOUR) })],
      );
  }
  const pod = kubernetes == null ? null : await worstPod(kubernetes, context);
  if (pod === null) return events;
  const about = { namespace: pod.namespace, pod: pod.pod_name, clusterId: pod.cluster_id };
  return withCauses(await gatherPod(context, about), events, `${subject}, pod ${pod.pod_name}`, [screens.pod(pod)]);
}

/** Causes where one is found, else what Kubernetes itself reports. */
function withCauses(evidence: Evidence, events: Written, subject: string, sources: Written['sources']): Written {
  const causes = findCauses(evidence);
  return causes.length === 0
    ? events
    : { text: report(subject, causes), sources: [...sources, ...events.sources], charts: [] };
}

function orNothing(error: unknown): null {
  if (error instanceof CodedError && error.code === 'not_found') return null;
  throw error;
}

async function worstPod(
  { cluster_id: clusterId, namespace, name, workload_kind: kind }: NonNullable<Alert['kubernetes']>,
  { read }: ToolContext,
): Promise<Pod | null> {
  if (namespace === null || name === null || kind === null) return null;
  const { pods } = await read('/api/kubernetes/pods', podsAnswer, {
    query: {
      cluster_id: clusterId,
      namespace,
      ...(kind === 'Pod' ? { search: name } : { owner_name: name }),
      sort: 'restarts_24h',
      order: 'desc',
      limit: MOST_EVENTS,
    },
  });
  return pods.find(({ ready, phase }) => !ready && phase !== 'Succeeded') ?? pods[0] ?? null;
}

/** Returns the reason that Kubernetes itself gives. */
async function ofEvents(alert: Alert, subject: string, { read }: ToolContext): Promise<Written> {
  const clusterId = alert.kubernetes?.cluster_id;
  const namespace = alert.kubernetes?.namespace ?? undefined;
  const search = namespace === undefined ? undefined : alert.kubernetes?.name;
  const { events } = await read('/api/kubernetes/events', eventsAnswer, {
    query: { cluster_id: clusterId, namespace, type: 'Warning', limit: MOST_EVENTS },
  });
  const rows = events.map(
    ({ reason, kind, name, message, count }) =>
      `- ${escaped(`${reason}: ${kind} ${name}, ${String(count)} times: ${message}`)}`,
  );
  return {
    text: [
      `**${quoted(subject)}**`,
      rows.length === 0
        ? '**Finding:** Kubernetes reports no warning of the last 24 h about it.'
        : `**Evidence:** warnings of Kubernetes, newest first\n${rows.join('\n')}`,
      '**Next:** Open the workload below and read the log of its last run.',
    ].join('\n\n'),
    sources: [
      screens.alert(alert.alert_id, alert.title),
      screens.pods({ cluster: clusterId, namespace, search }),
      screens.cluster(clusterId),
    ],
    charts: [],
  };
}

/** Figure of the causes that it shows; others show it by the metric of their alert. */
const SHOWN_BY: Partial<Record<Cause['kind'], AnswerChart['metric']>> = {
  killed_for_memory: 'memory',
  memory_leak: 'memory',
  memory_taken: 'memory',
  process_pileup: 'memory',
  swapping: 'memory',
  disk_filled_by_logs: 'disk',
  disk_filled_by: 'disk',
  disk_filling: 'disk',
};

function ofServer(
  serverId: string,
  evidence: Evidence,
  subject: string,
  { range, context }: { range: { from: number; to: number }; context: ToolContext },
): Written {
  const { from, to } = range;
  const causes = findCauses(evidence);
  const [first] = causes;
  const ofAlert = evidence.metric?.startsWith('memory')
    ? 'memory'
    : evidence.metric?.startsWith('disk')
      ? 'disk'
      : undefined;
  const metric = ofAlert ?? first?.shows ?? (first === undefined ? undefined : SHOWN_BY[first.kind]) ?? 'cpu';
  return {
    text: report(subject, causes),
    sources: [
      screens.server(serverId, evidence.hostname, range, metric),
      screens.serverAt(serverId, evidence.hostname, evidence.at, context.now),
      screens.activity(serverId, range),
    ],
    charts: [{ server_id: serverId, title: chartTitle(metric, evidence.hostname), metric, from, to }],
  };
}

/** A message of the kubelet may be as long. */
const EVIDENCE_CHARACTERS = 400;
const quoted = (text: string): string => escaped(text, EVIDENCE_CHARACTERS);
/** Advice holds commands as code, and the names in them come from machines: no name may make a link. */
const advice = (text: string): string => text.replaceAll(/[[\]<>]/g, String.raw`\$&`);

/** A cause that fits less well than the first by more than this is no alternative. */
const CLOSE = 0.25;

/** Finding, evidence, what to do next. */
function report(subject: string, causes: readonly Cause[]): string {
  const [first, ...others] = causes;
  if (first === undefined)
    return `**${quoted(subject)}**\n\nNo known pattern fits. The figures around it are on the screens below.`;
  const rest = others.filter(({ strength }) => strength >= first.strength - CLOSE).slice(0, 2);
  return [
    `**${quoted(subject)}**`,
    `**Finding:** ${quoted(first.finding)}`,
    `**Evidence:**\n${first.evidence.map((line) => `- ${quoted(line)}`).join('\n')}`,
    `**Next:** ${advice(first.next)}`,
    ...(rest.length === 0 ? [] : [`Also possible:\n${rest.map(({ finding }) => `- ${quoted(finding)}`).join('\n')}`]),
  ].join('\n\n');
}
