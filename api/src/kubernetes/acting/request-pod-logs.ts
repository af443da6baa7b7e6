import { POD_LOG_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { LogTail, PodRecord } from '../pod-records.ts';

interface Wanted {
  pod: PodRecord;
  /** Undefined: the first container. */
  container: string | undefined;
  previous: boolean;
}

/**
 * Returns the tail of a container's log. Requests it from the cluster's collector if no fresh one is stored; until it
 * arrives, returns the lines before. The first read of a person leaves an entry in the audit log, refreshes leave none. Throws
 * `invalid_parameter` for an unknown container, `pod_logs_off`, `too_many_requests`.
 */
export async function requestPodLogs(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  { pod, container: wanted, previous }: Wanted,
): Promise<{ container: string; tail: LogTail }> {
  const container = requireContainer(pod, wanted);
  const tail = await storage.inTransaction(async ({ kubernetes: { logs }, tenancy }) => {
    const now = clock.now();
    const found = await logs.request(pod, owner, { container, previous, reader: readerOf(by) }, now);
    if (typeof found !== 'string' && found.isFirstRead) {
      const { namespace, name } = pod.object;
      const detail = { cluster: pod.clusterId, namespace, pod: name, container };
      await tenancy.audit.record(by, 'pod_logs_read', detail, now);
    }
    return found;
  });
  if (tail === 'off')
    throw new CodedError('pod_logs_off', 'The cluster collector of this cluster does not read logs', {
      remedy:
        'Set clusterCollector.podLogs=true in the chart: helm upgrade RELEASE CHART --reset-then-reuse-values --set clusterCollector.podLogs=true',
    });
  if (tail === 'full')
    throw new CodedError('too_many_requests', 'Too many logs of this cluster are being read', {
      remedy: 'Try again in a minute.',
      retryAfterSeconds: POD_LOG_LIMITS.giveUpSeconds,
    });
  return { container, tail };
}

/** A person who follows a log by two tokens is two readers. */
const readerOf = ({ person, token }: Actor): string => `${person?.id ?? ''}/${token?.id ?? token?.name ?? ''}`;

function requireContainer(pod: PodRecord, wanted: string | undefined): string {
  const names = pod.object.containers.map(({ name }) => name);
  const container = wanted ?? names[0];
  if (container === undefined || !names.includes(container))
    throw new CodedError('invalid_parameter', `container: this pod has no such container`, {
      field: 'container',
      remedy: `Use one of: ${names.join(', ')}.`,
    });
  return container;
}
