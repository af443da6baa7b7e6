import { nameOf, objectEntity } from '../../entities.ts';
import { clock } from '../../figures.ts';
import { SELECTOR } from '../../graph.ts';
import { fieldsBelow, labelsOf, refOf } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import { changeWords, describeCommand } from '../../workload-states.ts';

/** A Service leads to no pod because its selector, or the labels of the pods, changed. */
export const serviceSelector: Mechanism = {
  id: 'selector_matches_nothing',
  title: 'Service without pods',
  needs: ['objects', 'changes'],
  recognise: (moment) =>
    moment.index.objectsOf('Service').flatMap((service): Candidate[] => {
      const selector = fieldsBelow(service.fields, SELECTOR);
      const change = moment
        .changesOf(service)
        .find(({ fields }) => fields.some(({ field }) => field.startsWith(SELECTOR)));
      const entity = objectEntity(refOf(service));
      const words = Object.entries(selector)
        .map(([name, value]) => `${name}=${value}`)
        .join(', ');
      const next = {
        next: 'Correct the selector of the Service, or the labels of the pods.',
        command: describeCommand('service', service.namespace, service.name),
      };
      const matched = moment.index.selected(service, selector);
      if (change !== undefined)
        return [
          {
            entities: [entity],
            finding:
              matched.length === 0
                ? `The selector of ${nameOf(entity)} matches no pod since ${clock(change.at)}.`
                : `The selector of ${nameOf(entity)} changed at ${clock(change.at)}, and leads to ${matched.map((one) => nameOf(one.entity)).join(', ')}.`,
            since: change.at,
            change,
            specificity: 'broken',
            brings: ['failing', 'missing'],
            evidence: [changeWords(change), `selector ${words === '' ? 'none' : words}`],
            ...next,
          },
        ];
      if (words === '' || matched.length > 0) return [];
      // The Service is as it was: the labels of a workload were taken from it.
      return moment.workloads.flatMap((workload): Candidate[] => {
        if (workload.ref.namespace !== service.namespace || workload.ref.clusterId !== service.clusterId) return [];
        const labels = moment
          .changesOf(workload.ref)
          .find(({ fields }) =>
            fields.some(
              ({ field }) =>
                field.startsWith('template.labels.') && Object.hasOwn(selector, field.slice('template.labels.'.length)),
            ),
          );
        if (labels === undefined) return [];
        return [
          {
            entities: [workload.entity],
            reaches: [entity],
            finding: `The labels of ${nameOf(workload.entity)} changed at ${clock(labels.at)}, and ${nameOf(entity)} finds no pod.`,
            since: labels.at,
            change: labels,
            specificity: 'broken',
            brings: ['failing', 'missing'],
            evidence: [
              changeWords(labels),
              `selector ${words}`,
              `labels ${Object.entries(labelsOf(workload))
                .map(([name, value]) => `${name}=${value}`)
                .join(', ')}`,
            ],
            ...next,
          },
        ];
      });
    }),
};
