import { nameOf, objectEntity } from '../../entities.ts';
import { clock } from '../../figures.ts';
import { labelsOf, refOf, type Workload } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { readPolicy } from '../../network-policy.ts';
import { isUnanswered, quoted } from '../../words.ts';
import { changeWords, describeCommand, textsOf } from '../../workload-states.ts';

/** A NetworkPolicy that came or changed keeps workloads apart. */
export const networkPolicy: Mechanism = {
  id: 'network_policy_blocks',
  title: 'NetworkPolicy blocks traffic',
  needs: ['objects', 'changes'],
  recognise: (moment) =>
    moment.index.objectsOf('NetworkPolicy').flatMap((object): Candidate[] => {
      const [change] = moment.changesOf(object);
      if (change === undefined) return [];
      const entity = objectEntity(refOf(object));
      const { selected, blocked } = blockedBy(object, moment);
      if (blocked.length === 0) return [];
      const said = blocked.flatMap((workload) => textsOf(workload, moment, isUnanswered)).at(0);
      return [
        {
          entities: [entity],
          reaches: blocked.map((one) => one.entity),
          finding: `${nameOf(entity)} ${change.action === 'added' ? 'came' : 'changed'} at ${clock(change.at)} and blocks traffic of ${listed(selected)}.`,
          since: change.at,
          change,
          specificity: said === undefined ? 'broken' : 'stated',
          brings: ['failing', 'missing', 'crash', 'start'],
          evidence: [
            change.action === 'added' ? change.title : changeWords(change),
            `it admits none of ${listed(blocked)}`,
            said !== undefined && { text: quoted(said.text), at: said.at },
          ],
          next: 'Add a rule for the callers, or delete the policy.',
          command: describeCommand('networkpolicy', object.namespace, object.name),
        },
      ];
    }),
};

const listed = (workloads: readonly Workload[]): string =>
  `${workloads
    .slice(0, 3)
    .map(({ entity }) => entity.name)
    .join(', ')}${workloads.length > 3 ? ` and ${String(workloads.length - 3)} more` : ''}`;

/** Workloads of the namespace that the policy keeps from the selected ones, or the selected ones from them. */
function blockedBy(
  object: Moment['evidence']['objects'][number],
  moment: Moment,
): { selected: Workload[]; blocked: Workload[] } {
  const { isSelected, admits, lets } = readPolicy(object.fields);
  const own = moment.workloads.filter(
    ({ ref }) => ref.clusterId === object.clusterId && ref.namespace === object.namespace,
  );
  const selected = own.filter((workload) => isSelected(labelsOf(workload)));
  const isOther = (workload: Workload): boolean => !selected.includes(workload) || selected.length > 1;
  const outside = admits === null ? [] : own.filter((workload) => isOther(workload) && !admits(labelsOf(workload)));
  const isShut = lets !== null && own.some((workload) => isOther(workload) && !lets(labelsOf(workload)));
  return { selected, blocked: selected.length === 0 ? [] : [...new Set([...outside, ...(isShut ? selected : [])])] };
}
