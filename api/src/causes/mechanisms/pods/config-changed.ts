import { keyOf, nameOf, objectEntity } from '../../entities.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import { clock } from '../../figures.ts';
import { quoted } from '../../words.ts';
import { isInTrouble, POD_TROUBLE, textsOf } from '../../workload-states.ts';

const KEY = /^(?:data|binaryData)\.(.+)$/;
/** A shorter key is a word of many texts. */
const TELLING_KEY = 3;

/** A ConfigMap changed, and pods that read it fail. */
export const configChanged: Mechanism = {
  id: 'configuration_changed',
  title: 'Configuration changed',
  needs: ['changes'],
  recognise: (moment) =>
    moment.evidence.changes.flatMap((change): Candidate[] => {
      if (change.kind !== 'ConfigMap' || change.clusterId === null || change.name === 'kube-root-ca.crt') return [];
      const ref = { clusterId: change.clusterId, namespace: change.namespace, kind: change.kind, name: change.name };
      if (!moment.changesOf(ref).includes(change)) return [];
      const entity = objectEntity(ref);
      const keys = change.fields.flatMap(({ field, was }) => {
        const key = KEY.exec(field)?.[1];
        return key === undefined ? [] : [{ key, was }];
      });
      const removed = keys.filter(({ was }) => was === 'removed').map(({ key }) => key);
      const reach = moment.graph.reach([keyOf(entity)]);
      const sick = moment.workloads.filter((one) => reach.get(one.key)?.isCall === false && isInTrouble(one, moment));
      const isRead = sick.some((one) => reach.get(one.key)?.certainty === 1);
      const words = [...keys.map(({ key }) => key), change.name].filter((word) => word.length >= TELLING_KEY);
      const said = sick
        .flatMap((workload) => textsOf(workload, moment, (text) => words.some((word) => text.includes(word))))
        .at(0);
      const isGone = change.action === 'gone';
      if (change.action === 'added' || (sick.length === 0 && !isGone)) return [];
      return [
        {
          entities: [entity],
          finding: isGone
            ? `${nameOf(entity)} was deleted at ${clock(change.at)}.`
            : `${nameOf(entity)} changed at ${clock(change.at)}: ${keys.map(({ key, was }) => `${key} ${was}`).join(', ') || change.title}.`,
          since: change.at,
          change,
          specificity:
            said !== undefined ? 'stated' : removed.length > 0 || isGone ? 'broken' : isRead ? 'changed' : 'state',
          brings: [...POD_TROUBLE, 'cpu', 'memory'],
          evidence: [
            said !== undefined && { text: quoted(said.text), at: said.at },
            ...sick.slice(0, 3).map((one) => `${nameOf(one.entity)} reads it and fails`),
          ],
          next: 'Put the keys back as they were, and restart what reads them.',
          command: null,
        },
      ];
    }),
};
