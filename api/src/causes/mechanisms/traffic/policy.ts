import { nameOf, objectEntity } from '../../entities.ts';
import type { ObjectSeen } from '../../evidence.ts';
import { clock } from '../../figures.ts';
import { labelsOf, refOf, type Workload } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { readPolicy } from '../../network-policy.ts';
import { isUnanswered, quote } from '../../words.ts';
import { changeWords, describeCommand, ifNoticed, inNamespaceOf, textsOf } from '../../workload-states.ts';

/** A NetworkPolicy that came or changed keeps workloads apart. */
export const networkPolicy: Mechanism = {
  id: 'network_policy_blocks',
  title: 'NetworkPolicy blocks traffic',
  needs: ['objects', 'changes'],
  recognise: (moment) =>
    moment.index.objectsOf('NetworkPolicy').flatMap((object): Candidate[] => {
      const [change] = moment.changesOf(object);
      const { selected, blocked } = blockedBy(object, moment);
      if (change === undefined || blocked.length === 0) return [];
      const entity = objectEntity(refOf(object));
      const [said] = blocked.flatMap((workload) => textsOf(workload, moment, isUnanswered));
      const isNew = change.action === 'added';
      return [
        {
          entities: [entity],
          reaches: blocked.map((one) => one.entity),
          finding: `${nameOf(entity)} ${isNew ? 'came' : 'changed'} at ${clock(change.at)} and blocks traffic of ${listed(selected)}.`,
          since: change.at,
          change,
          specificity: said === undefined ? ifNoticed('broken', change.at, moment) : 'stated',
          brings: ['failing', 'missing', 'crash', 'start'],
          evidence: [
            isNew ? change.title : changeWords(change),
            `${object.fields['policyTypes']?.includes('Egress') === true ? 'it cuts off' : 'it admits none of'} ${listed(blocked)}`,
            quote(said),
          ],
          next: 'Add a rule for the callers, or delete the policy.',
          command: describeCommand('networkpolicy', object.namespace, object.name),
        },
      ];
    }),
};

const listed = (workloads: readonly Workload[]): string =>
  [
    ...workloads.slice(0, 3).map(({ entity }) => entity.name),
    ...(workloads.length > 3 ? [`${String(workloads.length - 3)} more`] : []),
  ].join(', ');

/** Workloads of the namespace that the policy keeps from the selected ones, or the selected ones from them. */
function blockedBy(object: ObjectSeen, moment: Moment): { selected: Workload[]; blocked: Workload[] } {
  const { isSelected, admits, admitsOthers, lets } = readPolicy(object.fields);
  const own = inNamespaceOf(object, moment);
  const selected = own.filter((workload) => isSelected(labelsOf(workload)));
  const others = selected.length > 1 ? own : own.filter((workload) => !selected.includes(workload));
  const outside = others.filter((workload) => admits?.(labelsOf(workload)) === false);
  // Callers in other namespaces are known where they name a Service behind it.
  const far = moment.index
    .objectsOf('Service')
    .filter((service) => !admitsOthers && moment.graph.behind(service).some((one) => selected.includes(one)))
    .flatMap((service) => moment.graph.callersOf(service))
    .filter((one) => one.ref.namespace !== object.namespace && one.texts.some(({ text }) => isUnanswered(text)));
  const isShut = others.some((workload) => lets?.(labelsOf(workload)) === false);
  return {
    selected,
    blocked: selected.length === 0 ? [] : [...new Set([...far, ...outside, ...(isShut ? selected : [])])],
  };
}
