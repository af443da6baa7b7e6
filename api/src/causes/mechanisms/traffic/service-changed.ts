import { nameOf, objectEntity } from '../../entities.ts';
import { clock } from '../../figures.ts';
import { SELECTOR } from '../../graph.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import { changeWords, describeCommand } from '../../workload-states.ts';

/** A Service was deleted, or another part of it changed. */
export const serviceChanged: Mechanism = {
  id: 'service_gone',
  title: 'Service deleted or changed',
  needs: ['changes'],
  recognise: (moment) =>
    moment.evidence.changes.flatMap((change): Candidate[] => {
      if (change.kind !== 'Service' || change.clusterId === null || change.action === 'added') return [];
      const ref = { clusterId: change.clusterId, namespace: change.namespace, kind: 'Service', name: change.name };
      if (!moment.changesOf(ref).includes(change)) return [];
      const isGone = change.action === 'gone' && moment.index.find(ref) === null;
      const fields = change.fields.filter(({ field }) => field !== 'ports' && !field.startsWith(SELECTOR));
      if (!isGone && fields.length === 0) return [];
      const entity = objectEntity(ref);
      const said = moment.graph
        .callersOf(ref)
        .flatMap(({ texts }) => texts)
        .find(({ text }) => text.includes(ref.name));
      return [
        {
          entities: [entity],
          finding: isGone
            ? `${nameOf(entity)} was deleted at ${clock(change.at)}.`
            : `${nameOf(entity)} changed at ${clock(change.at)}: ${changeWords(change)}.`,
          since: change.at,
          change,
          specificity: isGone ? (said === undefined ? 'broken' : 'stated') : 'changed',
          brings: ['failing', 'missing', 'crash', 'start'],
          evidence: said === undefined ? [change.title] : [{ text: quoted(said.text), at: said.at }],
          next: isGone ? 'Create the Service again.' : 'Check whether the callers still reach it.',
          command: isGone ? null : describeCommand('service', ref.namespace, ref.name),
        },
      ];
    }),
};
