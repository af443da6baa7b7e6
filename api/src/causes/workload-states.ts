import type { EventSeen } from './evidence.ts';
import type { Workload } from './index-objects.ts';
import { POD_TROUBLE } from './aspects.ts';
import { each, type Candidate, type Specificity } from './mechanism.ts';
import type { Moment, WorkloadMoment } from './moment.ts';

/** Shape of the findings about workloads, and rules that several mechanisms share. */

/** A rollout takes minutes, and a check fails some times before it alarms. */
const SHOWS_SECONDS = 420;
/** Returns true if the symptoms began so soon after a change that the change alone may explain them. */
export const isJustBefore = (at: number, { firstAt: first }: Moment, seconds = SHOWS_SECONDS): boolean =>
  at >= first - seconds;
/** A way that is cut off shows at once; some alerts wait for a quarter of an hour. */
const NOTICED_SECONDS = 1200;
export const ifNoticed = (specificity: Specificity, at: number, moment: Moment): Specificity =>
  isJustBefore(at, moment, NOTICED_SECONDS) ? specificity : 'before';

/** A pod that says so long after its creation that it is not ready does not just start. */
const SLOW_SECONDS = 45;
/** New pods are ready now, and were not around the first alert: too slow a program is ready now and then. */
export const wasSick = ({ pods, events }: WorkloadMoment, after: number, { firstAt: first }: Moment): boolean =>
  pods.some(
    ({ name, createdAt }) =>
      createdAt >= after &&
      events.some(
        ({ reason, kind, name: of, lastAt }) =>
          reason === 'Unhealthy' &&
          kind === 'Pod' &&
          of === name &&
          lastAt >= first &&
          lastAt >= createdAt + SLOW_SECONDS,
      ),
  );

/** Returns true if the evidence shows a way from the workload to an alert: selectors, texts, the target of a check. */
export function isWayKnown({ key }: WorkloadMoment, { graph, symptoms }: Moment): boolean {
  const reach = graph.reach([key]);
  return symptoms.some((symptom) => symptom.weight === 1 && reach.get(symptom.key)?.certainty === 1);
}

/** The kubelet evicts a pod for what the pod itself may use. */
export const OVER_OWN_LIMIT = /exceeds the (?:total )?limit|exceeded its local ephemeral storage limit/i;

/** The registry is at fault, whatever changed in the template. */
export const REGISTRY_SILENT =
  /pull.*(?:i\/o timeout|connection refused|no such host|TLS handshake|too many requests|toomanyrequests|50[0234] )/i;

/** Numbers and names of the ports that the containers of a workload declare. */
export const declaredPorts = ({ object }: Workload): string[] =>
  Object.entries(object?.fields ?? {}).flatMap(([field, value]) =>
    field.endsWith('.ports') ? value.split(', ').flatMap((one) => (one.split('/', 1)[0] ?? '').split(' ')) : [],
  );

/** Begin of an event that may be older than the trouble. */
export const firstAt = (events: readonly EventSeen[]): number | null =>
  events.length === 0 ? null : Math.min(...events.map(({ firstAt: at }) => at));

interface WorkloadFinding extends Omit<Candidate, 'entities' | 'since' | 'brings'> {
  entities?: Candidate['entities'];
  since?: number | null;
  brings?: Candidate['brings'];
  /** The newest change of these fields of its template stands behind it; left out: of any. Without meaning beside `change`. */
  fields?: RegExp;
}
/** Makes a mechanism that looks at each workload by itself. */
export const workloadMechanism = each<WorkloadMoment, WorkloadFinding>(
  ({ workloads }) => workloads,
  (workload, { fields, since = null, ...found }) => {
    const own = 'change' in found ? undefined : workload.rollout(fields);
    // After a rollout that went well the trouble came from elsewhere.
    const change = 'change' in found ? found.change : own && !workload.hasSettled(own.at) ? own : undefined;
    return { entities: [workload.entity], brings: POD_TROUBLE, ...found, change, since: change?.at ?? since };
  },
);
