import { changeMechanism } from './changed-objects.ts';
import type { ObjectSeen } from '../../evidence.ts';
import { clock } from '../../figures.ts';
import { labelsOf } from '../../index-objects.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { readPolicy } from '../../network-policy.ts';
import { isUnanswered, quote } from '../../words.ts';
import { ifNoticed } from '../../workload-states.ts';
import { changeWords } from '../../change-words.ts';

/** A NetworkPolicy that came or changed keeps workloads apart. */
export const networkPolicy = changeMechanism('NetworkPolicy')(
  'network_policy_blocks',
  'NetworkPolicy blocks traffic',
  ({ change, object, name }, moment) => {
    const { selected, blocked } = object === null ? { selected: [], blocked: [] } : blockedBy(object, moment);
    if (object === null || blocked.length === 0) return null;
    const [said] = blocked.flatMap((workload) => workload.said(isUnanswered));
    const isNew = change.action === 'added';
    return {
      reaches: blocked.map((one) => one.entity),
      finding: `${name} ${isNew ? 'came' : 'changed'} at ${clock(change.at)} and blocks traffic of ${listed(selected)}.`,
      specificity: said === undefined ? ifNoticed('broken', change.at, moment) : 'stated',
      brings: ['failing', 'missing', 'crash', 'start'],
      evidence: [
        isNew ? change.title : changeWords(change),
        `${object.fields['policyTypes']?.includes('Egress') === true ? 'it cuts off' : 'it admits none of'} ${listed(blocked)}`,
        quote(said),
      ],
      next: 'Add a rule for the callers, or delete the policy.',
    };
  },
);

const listed = (workloads: readonly WorkloadMoment[]): string =>
  [
    ...workloads.slice(0, 3).map(({ entity }) => entity.name),
    ...(workloads.length > 3 ? [`${String(workloads.length - 3)} more`] : []),
  ].join(', ');

/** Workloads of the namespace that the policy keeps from the selected ones, or the selected ones from them. */
function blockedBy(object: ObjectSeen, moment: Moment): { selected: WorkloadMoment[]; blocked: WorkloadMoment[] } {
  const { isSelected, admits, admitsOthers, lets } = readPolicy(object.fields);
  const own = moment.inNamespaceOf(object);
  const selected = own.filter((workload) => isSelected(labelsOf(workload)));
  const others = selected.length > 1 ? own : own.filter((workload) => !selected.includes(workload));
  const outside = others.filter((workload) => admits?.(labelsOf(workload)) === false);
  // Callers in other namespaces are known where they name a Service behind it.
  const far = moment.index
    .objectsOf('Service')
    .filter((service) => !admitsOthers && moment.behind(service).some((one) => selected.includes(one)))
    .flatMap((service) => moment.callersOf(service))
    .filter((one) => one.ref.namespace !== object.namespace && one.texts.some(({ text }) => isUnanswered(text)));
  const isShut = others.some((workload) => lets?.(labelsOf(workload)) === false);
  return {
    selected,
    blocked: selected.length === 0 ? [] : [...new Set([...far, ...outside, ...(isShut ? selected : [])])],
  };
}
