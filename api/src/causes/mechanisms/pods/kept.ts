import { clock } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quote } from '../../words.ts';
import { workloadMechanism } from '../../workload-states.ts';
import { shell } from '../../commands.ts';

/** The work of a Job is done, and a container beside it keeps its pod from ending. */
const jobKept = workloadMechanism('job_kept_running', 'Job does not end', (workload) => {
  if (workload.ref.kind !== 'Job' && workload.ref.kind !== 'CronJob') return null;
  const [kept] = workload.pods.flatMap((pod) => {
    const own = pod.containers.filter(({ isInit }) => !isInit);
    const done = own.find(({ status, end }) => status !== 'running' && end?.exitCode === 0);
    const beside = own.find(({ status }) => status === 'running');
    return done === undefined || beside === undefined ? [] : [{ pod, done, beside }];
  });
  if (kept === undefined) return null;
  const { pod, done, beside } = kept;
  return {
    finding: `${workload.name} does not end: its container ${beside.name} still runs beside ${done.name}, whose work is done.`,
    since: done.end?.at ?? null,
    change: undefined,
    specificity: 'broken',
    brings: ['missing', 'failing', 'start', 'crash'],
    evidence: [`${done.name} of pod ${pod.name} ended well${done.end?.at == null ? '' : ` at ${clock(done.end.at)}`}`],
    next: `Make ${beside.name} a sidecar (an init container with restartPolicy Always), or end it with the work.`,
  };
});

/** A pod that was killed is gone within this time; its grace period is 30 s as a rule. */
const GONE_SECONDS = 180;
/** A pod is to go and does not: a finalizer, its volume or its node keeps it. */
const podKept = workloadMechanism('deletion_hangs', 'Deletion hangs', (workload, { evidence: { now } }) => {
  const pod = workload.pods.find(({ deleting }) => deleting);
  const told = workload.told(/^(?:Killing|FailedKillPod|FailedUnMount|FailedDetachVolume)$/);
  const [killed, failed] = [told.at(-1), told.find(({ reason }) => reason.startsWith('Failed'))];
  if (pod === undefined || killed === undefined || now - killed.firstAt < GONE_SECONDS) return null;
  return {
    finding: `The deletion of a pod of ${workload.name} hangs: a finalizer, its volume or its node keeps it.`,
    since: killed.firstAt,
    change: undefined,
    specificity: failed === undefined ? 'state' : 'broken',
    brings: ['missing', 'failing', 'start'],
    evidence: [`${pod.name} is still being deleted`, quote(failed ?? killed)],
    next: 'Read its finalizers, and whether what should remove them runs.',
    command: `kubectl -n ${shell(pod.namespace)} get pod ${shell(pod.name)} -o jsonpath='{.metadata.finalizers}'`,
  };
});

export const keptMechanisms: readonly Mechanism[] = [jobKept, podKept];
