import type { ChangeSeen, ContainerSeen, EventSeen, FieldSeen, ObjectRef, PodSeen } from './evidence.ts';
import type { Text, Workload } from './index-objects.ts';
import type { Aspect } from './aspects.ts';
import { nameOf } from './entities.ts';
import type { Candidate, Mechanism, Specificity } from './mechanism.ts';
import type { Moment } from './moment.ts';
import { isUnwell } from './symptoms.ts';

/** States of workloads that several mechanisms read. */

export const POD_TROUBLE: readonly Aspect[] = ['missing', 'start', 'crash', 'memory_kill', 'failing'];

/** Fields that say who or what rolled out, not what. */
const MARKS =
  /^(?:marks\.|template\.annotations\.|template\.labels\.|replicas$|paused$|strategy|updateStrategy|minReadySeconds|progressDeadline)/;
export const tellingFields = (change: ChangeSeen): FieldSeen[] =>
  change.fields.filter(({ field }) => !MARKS.test(field));

/** The newest change of the pod template in the hour before. */
export const templateChange = (workload: Workload, moment: Moment, field?: RegExp): ChangeSeen | undefined =>
  moment
    .changesOf(workload.ref)
    .find((change) => tellingFields(change).some((one) => field === undefined || field.test(one.field)));
/** Its creation in the hour before: it says nothing about what is wrong with it. */
export const creationOf = (workload: Workload, moment: Moment): ChangeSeen | undefined =>
  moment.changesOf(workload.ref).find(({ action }) => action === 'added');

/** Pods that stay ready for this long went through their start. */
const SETTLED_SECONDS = 60;
/** The numbers of ready addresses that the ledger has of the Services of a workload, the oldest first. */
export const readinessOf = ({ ref, ...workload }: Workload, { evidence, index, graph }: Moment) =>
  evidence.changes
    .filter(
      ({ kind, namespace, clusterId, name }) =>
        kind === 'EndpointSlice' &&
        namespace === ref.namespace &&
        clusterId === ref.clusterId &&
        index
          .objectsOf('Service')
          .some(
            (service) =>
              name.startsWith(`${service.name}-`) && graph.behind(service).some(({ key }) => key === workload.key),
          ),
    )
    .flatMap(({ at, fields }) =>
      fields.flatMap(({ field, before, after }) =>
        field === 'readyAddresses' ? [{ at, more: Number(after) - Number(before ?? 0) }] : [],
      ),
    )
    .toSorted((a, b) => a.at - b.at);
/** Returns true if the ready addresses of its Services rose after a moment, and stayed for a minute. */
export function settledAfter(workload: Workload, moment: Moment, at: number): boolean {
  const counts = readinessOf(workload, moment).filter((one) => one.at >= at);
  return counts.some(
    (one, index) => one.more > 0 && (counts[index + 1]?.at ?? moment.firstAt) - one.at >= SETTLED_SECONDS,
  );
}
/** A rollout takes minutes, and a check fails some times before it alarms. */
const SHOWS_SECONDS = 420;
/** Returns true if the symptoms began so soon after a change that the change alone may explain them. */
export const isJustBefore = (at: number, { firstAt: first }: Moment, seconds = SHOWS_SECONDS): boolean =>
  at >= first - seconds;
/** A way that is cut off shows at once; some alerts wait for a quarter of an hour. */
const NOTICED_SECONDS = 1200;
export const ifNoticed = (specificity: Specificity, at: number, moment: Moment): Specificity =>
  isJustBefore(at, moment, NOTICED_SECONDS) ? specificity : 'before';

/** The kubelet evicts a pod for what the pod itself may use. */
export const OVER_OWN_LIMIT = /exceeds the (?:total )?limit|exceeded its local ephemeral storage limit/i;

/** The network of the node, a volume that is in use, or the registry is at fault: whatever changed in the template. */
const OUTSIDE = /multi-attach error|failed to create pod sandbox|network plugin|failed to assign an IP/i;
export const REGISTRY_SILENT =
  /pull.*(?:i\/o timeout|connection refused|no such host|TLS handshake|too many requests|toomanyrequests|50[0234] )/i;
export const isHeldBack = ({ texts }: Workload): boolean =>
  texts.some(({ text }) => OUTSIDE.test(text) || REGISTRY_SILENT.test(text));

export const replicasChange = (workload: Workload, moment: Moment): { change: ChangeSeen; field: FieldSeen } | null => {
  for (const change of moment.changesOf(workload.ref)) {
    const field = change.fields.find((one) => one.field === 'replicas');
    if (field !== undefined) return { change, field };
  }
  return null;
};

export type Scaled = NonNullable<ReturnType<typeof replicasChange>>;
export const isScaledUp = (scaled: Scaled | null): scaled is Scaled =>
  scaled !== null && Number(scaled.field.after) > Number(scaled.field.before ?? 0);

/** Numbers and names of the ports that the containers of a workload declare. */
export const declaredPorts = ({ object }: Workload): string[] =>
  Object.entries(object?.fields ?? {}).flatMap(([field, value]) =>
    field.endsWith('.ports') ? value.split(', ').flatMap((one) => (one.split('/', 1)[0] ?? '').split(' ')) : [],
  );
export const inNamespaceOf = (of: Pick<ObjectRef, 'clusterId' | 'namespace'>, { workloads }: Moment): Workload[] =>
  workloads.filter(({ ref }) => ref.clusterId === of.clusterId && ref.namespace === of.namespace);

export const unwellPods = ({ pods }: Workload): PodSeen[] => pods.filter(isUnwell);
export const containersOf = (workload: Workload, test: (container: ContainerSeen, pod: PodSeen) => boolean) =>
  workload.pods
    .filter(({ deleting }) => !deleting)
    .flatMap((pod) => pod.containers.filter((one) => test(one, pod)).map((container) => ({ pod, container })));
export const eventsOf = ({ events }: Workload, reason: RegExp, words?: RegExp): EventSeen[] =>
  events
    .filter((event) => reason.test(event.reason) && (words === undefined || words.test(event.message)))
    .toSorted((a, b) => b.lastAt - a.lastAt);

/** Returns true if the workload has a symptom or a pod that is not well. */
export const isInTrouble = (workload: Workload, moment: Moment): boolean =>
  unwellPods(workload).length > 0 || moment.symptoms.some(({ key }) => key === workload.key);

/** The first trouble of the workload after a moment, by its warnings and the ends of its containers; null: none is known. */
export function onsetOf({ events, pods }: Workload, after: number): number | null {
  const times = [
    ...events.filter(({ type }) => type !== 'Normal').flatMap(({ firstAt: first, lastAt }) => [first, lastAt]),
    ...pods.flatMap(({ restarts }) => restarts.map(({ at }) => at)),
  ].filter((at) => at >= after);
  return times.length === 0 ? null : Math.min(...times);
}

/** Begin of an event that may be older than the trouble. */
export const firstAt = (events: readonly EventSeen[]): number | null =>
  events.length === 0 ? null : Math.min(...events.map(({ firstAt: at }) => at));

/** Texts of the time around the symptoms, newest first. */
export const textsOf = (workload: Workload, moment: Moment, test: (text: string) => boolean): Text[] =>
  workload.texts
    .filter(({ text, at }) => (at === null || at >= moment.firstAt - 2 * 3600) && test(text))
    .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.text < b.text ? -1 : 1));

export const fieldText = ({ field, was, before, after }: FieldSeen): string => {
  const name = field.replace(/^(?:containers|initContainers)\.[^.]{1,253}\./, '');
  if (before === null && after === null) return `${name} ${was}`;
  return `${name} ${before ?? 'none'} → ${after ?? 'removed'}`;
};
export const changeWords = (change: ChangeSeen): string => {
  const [first, ...others] = tellingFields(change);
  if (first === undefined) return change.title;
  return `${fieldText(first)}${others.length === 0 ? '' : ` and ${String(others.length)} more`}`;
};

/** The undo of a rollout. */
export function undoCommand({ ref }: Workload): string | null {
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(ref.kind)) return null;
  return `kubectl -n ${shell(ref.namespace ?? 'default')} rollout undo ${ref.kind.toLowerCase()}/${shell(ref.name)}`;
}
export const describeCommand = (kind: string, namespace: string | null, name: string): string =>
  `kubectl ${namespace === null ? '' : `-n ${shell(namespace)} `}describe ${kind.toLowerCase()} ${shell(name)}`;
/** Names come from clusters: only those that need no quotes go into a command as they are. */
export const shell = (name: string): string =>
  /^[\w./:-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

export interface WorkloadFinding extends Omit<Candidate, 'entities' | 'since' | 'brings'> {
  entities?: Candidate['entities'];
  since?: number | null;
  brings?: Candidate['brings'];
  /** The newest change of these fields of its template stands behind it; left out: of any. Without meaning beside `change`. */
  fields?: RegExp;
}
/** Makes a mechanism that looks at each workload by itself. Its rollout is undone where a change of it stands behind. */
export const workloadMechanism = (
  id: string,
  title: string,
  needs: Mechanism['needs'],
  find: (workload: Workload, moment: Moment, name: string) => WorkloadFinding | null,
): Mechanism => ({
  id,
  title,
  needs,
  recognise: (moment) =>
    moment.workloads.flatMap((workload): Candidate[] => {
      const found = find(workload, moment, nameOf(workload.entity));
      if (found === null) return [];
      const { fields, since = null, command = null, ...more } = found;
      const own = 'change' in found ? undefined : templateChange(workload, moment, fields);
      // After a rollout that went well the trouble came from elsewhere.
      const change =
        'change' in found ? found.change : own && !settledAfter(workload, moment, own.at) ? own : undefined;
      const undo = change === undefined || 'change' in found ? command : undoCommand(workload);
      return [
        {
          entities: [workload.entity],
          brings: POD_TROUBLE,
          ...more,
          change,
          since: change?.at ?? since,
          command: undo,
        },
      ];
    }),
});
