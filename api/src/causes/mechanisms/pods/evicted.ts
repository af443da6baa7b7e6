import { nameOf } from '../../entities.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import { describeCommand, eachWorkload, eventsOf, firstAt } from '../../workload-states.ts';

/** A pod had to go. Whatever filled the node stands behind it. */
export const evicted: Mechanism = {
  id: 'evicted',
  title: 'Evicted',
  needs: ['pods'],
  recognise: eachWorkload((workload) => {
    const told = eventsOf(workload, /^(?:Evicted|Preempted|Preempting|TaintManagerEviction)$/);
    const pod = workload.pods.find(({ reason }) => reason === 'Evicted');
    const [last] = told;
    if (last === undefined && pod === undefined) return null;
    const isPreempted = last?.reason.startsWith('Preempt') === true;
    return {
      entities: [workload.entity],
      finding: isPreempted
        ? `A pod of ${nameOf(workload.entity)} had to make room for one of higher priority.`
        : `The node evicted a pod of ${nameOf(workload.entity)}.`,
      since: firstAt(told) ?? pod?.createdAt ?? null,
      specificity: 'broken',
      brings: ['missing', 'failing', 'crash'],
      is: 'missing',
      evidence:
        last === undefined
          ? ['reason Evicted']
          : [{ text: `${last.reason}: ${quoted(last.message)}`, at: last.lastAt }],
      next: 'Give the pod requests that fit what it uses, and find what fills the node.',
      command: describeCommand(workload.ref.kind, workload.ref.namespace, workload.ref.name),
    };
  }),
};
