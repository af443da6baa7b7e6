import { nameOf } from '../../entities.ts';
import { fixed } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { shiftOf } from '../../shift.ts';
import { quoted } from '../../words.ts';
import { eachWorkload, eventsOf, templateChange, undoCommand } from '../../workload-states.ts';

/** Share of the limit from which a container is slowed down most of the time. */
const AT_LIMIT = 0.9;

export const cpuLimit: Mechanism = {
  id: 'cpu_limit_reached',
  title: 'CPU limit reached',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    const slowed = workload.pods.flatMap((pod) => {
      const limits = pod.containers.filter(({ isInit }) => !isInit).map(({ cpuLimitCores }) => cpuLimitCores);
      const limit = limits.includes(null) ? null : limits.reduce<number>((sum, one) => sum + (one ?? 0), 0);
      const use = shiftOf(pod.cpuCores, moment.lastAt);
      if (limit === null || limit <= 0 || use === null || Math.max(use.is, use.last) < AT_LIMIT * limit) return [];
      return [{ pod, limit, use }];
    });
    const [first] = slowed;
    if (first === undefined) return null;
    const { limit, use } = first;
    const change = templateChange(workload, moment, /limits\.cpu|image|args|command|env/);
    return {
      entities: [workload.entity],
      finding: `${nameOf(workload.entity)} uses all the CPU that its limit allows, and is slowed down.`,
      since: change?.at ?? use.onset,
      change,
      specificity: 'broken',
      brings: ['cpu', 'failing', 'crash', 'missing', 'traffic'],
      evidence: [
        `${fixed(Math.max(use.is, use.last), 2)} of ${fixed(limit, 2)} cores`,
        `${String(slowed.length)} of ${String(workload.pods.length)} pods are at their limit`,
        ...eventsOf(workload, /^Unhealthy$/)
          .slice(0, 1)
          .map(({ message, lastAt }) => ({ text: quoted(message), at: lastAt })),
      ],
      next: 'Raise its CPU limit, or add replicas.',
      command: change === undefined ? null : undoCommand(workload),
    };
  }),
};
