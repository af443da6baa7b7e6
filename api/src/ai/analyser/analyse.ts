import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { alertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import type { AnswerChart, ExplainSubject } from '@plimsoll/contract/wire/ai';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import { incidentAnswer, type IncidentAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { eventsAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { Evidence } from '../../causes/evidence.ts';
import { explainInThread } from '../../causes/compute-cause.ts';
import { gatherForAlert, gatherForPod, gatherForRange } from '../../causes/gather/incident.ts';
import { screens } from '../screen-links.ts';
import { outstandingIn } from '../statistics.ts';
import { hostSeries } from '../tools/series.ts';
import type { AnswerPart, CheckedAnswer, ToolContext } from '../types.ts';
import { answerQuestion, type Written } from './answer-question.ts';
import type { Message } from './thread.ts';
import { chartTitle } from '../chart-title.ts';
import { escaped } from './reports.ts';

interface Analysed {
  question: string;
  explain: ExplainSubject | undefined;
  /** The conversation before the question. */
  thread: readonly Message[];
  context: ToolContext;
  onPart: (part: AnswerPart) => void;
}

/** A figure that stands out less, in per cent points, is noise. */
const OUTSTANDING_POINTS = 10;
const INTRODUCTION = 'No model is configured: this is what the data says.';

/** Answers from the figures alone, without a model. A question it does not understand gets those it does. */
export async function analyse(asked: Analysed): Promise<CheckedAnswer> {
  const found =
    asked.explain === undefined ? await answerQuestion(asked) : await explainSubject(asked.explain, asked.context);
  const text = `${INTRODUCTION}\n\n${found.text}`;
  asked.onPart({ kind: 'text', text });
  return { answer: text, mode: 'analyser', sources: found.sources, charts: found.charts, unmatched: [] };
}

async function explainSubject(subject: ExplainSubject, context: ToolContext): Promise<Written> {
  if (subject.kind === 'pod') {
    const { namespace, pod, cluster_id: clusterId } = subject;
    const evidence = await gatherForPod(context, { namespace, pod, clusterId });
    return {
      text: report(`Pod ${namespace}/${pod}`, await explainInThread(evidence)),
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
    const evidence = await gatherForRange(context, {
      serverId: subject.server_id,
      at,
      from: subject.from,
      to: subject.to,
    });
    const [server] = evidence.servers;
    const hostname = server?.hostname ?? subject.server_id;
    return ofServer(evidence, `${hostname}, selected range`, {
      server: { id: subject.server_id, hostname, metric: null, at },
      range: subject,
      context,
    });
  }
  if (subject.kind === 'incident') return ofIncident(subject.incident_id, context);
  return ofAlert(subject.alert_id, context);
}

/** The end of a chosen range may be quiet again: the moment is that at which its figures stand out most. */
async function momentOf(range: { server_id: string; from: number; to: number }, context: ToolContext): Promise<number> {
  const end = Math.min(range.to, context.now);
  const around = { from: range.from - 6 * HOUR_SECONDS, to: Math.min(context.now, range.to + HOUR_SECONDS) };
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
  const evidence = await gatherForAlert(context, alertId);
  const { server_id: serverId, timestamp: at, metric_name: metric } = alert;
  if (serverId === null) return ofCluster(alert, about, { evidence, context });
  const range = { from: at - 6 * HOUR_SECONDS, to: Math.min(context.now, at + HOUR_SECONDS) };
  const server = { id: serverId, hostname: alert.tags.hostname, metric, at };
  const written = await ofServer(evidence, about, { server, range, context });
  return { ...written, sources: [screens.alert(alertId, alert.title), ...written.sources] };
}

const MOST_EVENTS = 10;

/** Causes where one is found, else what Kubernetes itself reports. */
async function ofCluster(
  alert: Alert,
  subject: string,
  { evidence, context }: { evidence: Evidence; context: ToolContext },
): Promise<Written> {
  const events = await ofEvents(alert, subject, context);
  const answer = await explainInThread(evidence);
  if (answer.status === 'not_found') return events;
  const pod = evidence.pods.find(
    ({ ownerName, ready, phase }) => ownerName === alert.kubernetes?.name && !ready && phase !== 'Succeeded',
  );
  const shown = pod && screens.pod({ cluster_id: pod.clusterId, namespace: pod.namespace, pod_name: pod.name });
  return { text: report(subject, answer), sources: [...(shown ? [shown] : []), ...events.sources], charts: [] };
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

/** Figure that shows a mechanism best; others show it by the metric of their alert. */
const SHOWN_BY: readonly (readonly [mechanism: RegExp, metric: AnswerChart['metric']])[] = [
  [/memory|swapping|pileup/, 'memory'],
  [/disk_fill/, 'disk'],
];

interface About {
  server: { id: string; hostname: string; metric: string | null; at: number };
  range: { from: number; to: number };
  context: ToolContext;
}
async function ofServer(evidence: Evidence, subject: string, { server, range, context }: About): Promise<Written> {
  const { id, hostname, at } = server;
  const answer = await explainInThread(evidence);
  const shows = `${server.metric ?? ''} ${answer.causes[0]?.mechanism ?? ''}`;
  const ofAlert = (['memory', 'disk'] as const).find((one) => server.metric?.startsWith(one));
  const metric = ofAlert ?? SHOWN_BY.find(([mechanism]) => mechanism.test(shows))?.[1] ?? 'cpu';
  return {
    text: report(subject, answer),
    sources: [
      screens.server(id, hostname, range, metric),
      screens.serverAt(id, hostname, at, context.now),
      screens.activity(id, range),
    ],
    charts: [{ server_id: id, title: chartTitle(metric, hostname), metric, from: range.from, to: range.to }],
  };
}

/** A message of the kubelet may be as long. */
const EVIDENCE_CHARACTERS = 400;
const quoted = (text: string): string => escaped(text, EVIDENCE_CHARACTERS);
/** Advice holds commands as code, and the names in them come from machines: no name may make a link. */
const advice = (text: string): string => text.replaceAll(/[[\]<>]/g, String.raw`\$&`);

/** Finding, evidence, what speaks against it, what to do next. */
function report(subject: string, { causes, ruled_out: ruledOut }: CauseAnswer): string {
  const [first, ...others] = causes;
  if (first === undefined)
    return `**${quoted(subject)}**\n\nNo known pattern fits. The figures around it are on the screens below.`;
  const { text, command } = first.next;
  return [
    `**${quoted(subject)}**`,
    `**Finding:** ${quoted(first.finding)}`,
    `**Evidence:**\n${first.evidence.map((line) => `- ${quoted(line.text)}`).join('\n')}`,
    ...(first.against.length === 0
      ? []
      : [`**Against it:**\n${first.against.map((line) => `- ${quoted(line)}`).join('\n')}`]),
    `**Next:** ${advice(text)}${command === null ? '' : ` \`${advice(command.replaceAll('`', ''))}\``}`,
    ...(others.length === 0 ? [] : [`Beside it:\n${others.map(({ finding }) => `- ${quoted(finding)}`).join('\n')}`]),
    ...(ruledOut.length === 0
      ? []
      : [
          `Not the cause:\n${ruledOut
            .slice(0, MOST_RULED_OUT)
            .map((one) => `- ${quoted(`${one.text} ${one.reason}`)}`)
            .join('\n')}`,
        ]),
  ].join('\n\n');
}
const MOST_RULED_OUT = 3;
