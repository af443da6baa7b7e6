import { nameOf, objectEntity } from '../../entities.ts';
import { clock } from '../../figures.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import { changeWords, describeCommand } from '../../workload-states.ts';

/** An Ingress was deleted, or leads elsewhere. */
export const ingressBackend: Mechanism = {
  id: 'ingress_backend',
  title: 'Ingress leads elsewhere',
  needs: ['changes'],
  recognise: (moment) =>
    moment.evidence.changes.flatMap((change): Candidate[] => {
      if (change.kind !== 'Ingress' || change.clusterId === null || change.action === 'added') return [];
      const ref = { clusterId: change.clusterId, namespace: change.namespace, kind: 'Ingress', name: change.name };
      if (!moment.changesOf(ref).includes(change)) return [];
      const entity = objectEntity(ref);
      const object = moment.index.find(ref);
      const checks = moment.symptoms.filter(({ key }) => key.startsWith('["check"'));
      const missing = Object.values(object?.fields ?? {}).flatMap((value) => {
        const name = /^Service (.{1,253}):/.exec(value)?.[1];
        return name === undefined || moment.index.find({ ...ref, kind: 'Service', name }) !== null ? [] : [name];
      });
      return [
        {
          entities: [entity],
          finding:
            object === null
              ? `${nameOf(entity)} was deleted at ${clock(change.at)}.`
              : `${nameOf(entity)} leads elsewhere since ${clock(change.at)}: ${changeWords(change)}.`,
          since: change.at,
          change,
          specificity: 'broken',
          brings: ['failing'],
          evidence: [
            changeWords(change),
            ...missing.map((name) => `there is no Service ${name}`),
            ...checks.slice(0, 2).map(({ text, at, href }) => ({ text, at, href })),
          ],
          next: 'Put the path back to its Service.',
          command: describeCommand('ingress', ref.namespace, ref.name),
        },
      ];
    }),
};
