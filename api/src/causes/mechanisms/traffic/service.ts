import { nameOf, objectEntity } from '../../entities.ts';
import type { FieldSeen, ObjectSeen } from '../../evidence.ts';
import { clock } from '../../figures.ts';
import { SELECTOR } from '../../graph.ts';
import { fieldsBelow, labelsOf, refOf } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { quote } from '../../words.ts';
import {
  changeWords,
  declaredPorts,
  describeCommand,
  fieldText,
  ifNoticed,
  inNamespaceOf,
  templateChange,
} from '../../workload-states.ts';

/** Makes a mechanism that looks at each Service: its relation to the pods behind it does not hold. */
const serviceMechanism = (
  id: string,
  title: string,
  next: string,
  find: (
    service: ObjectSeen,
    moment: Moment,
    name: string,
  ) => (Partial<Candidate> & Pick<Candidate, 'finding' | 'evidence'>)[],
): Mechanism => ({
  id,
  title,
  needs: ['objects', 'changes'],
  recognise: (moment) =>
    moment.index.objectsOf('Service').flatMap((service): Candidate[] => {
      const entity = objectEntity(refOf(service));
      return find(service, moment, nameOf(entity)).map((found) => ({
        entities: [entity],
        reaches: [entity],
        since: found.change?.at ?? null,
        specificity: found.change === undefined ? 'broken' : ifNoticed('broken', found.change.at, moment),
        brings: ['failing', 'missing'],
        next,
        command: describeCommand('service', service.namespace, service.name),
        ...found,
      }));
    }),
});

const PORT = /(\d{1,5}→([\w-]{1,63}))\//g;
const portsOf = (text: string | null | undefined): { way: string; target: string }[] =>
  [...(text ?? '').matchAll(PORT)].map(([, way = '', target = '']) => ({ way, target }));
/** A port that was there and no longer leads where it led. A port that is added beside the others does no harm. */
function isHarmful({ field, before, after }: FieldSeen): boolean {
  const now = new Set(portsOf(after).map(({ way }) => way));
  return field === 'ports' && portsOf(before).some(({ way }) => !now.has(way));
}

/** A Service sends to a port on which no container listens. */
const servicePort = serviceMechanism(
  'service_port_mismatch',
  'Service sends to another port',
  'Put targetPort of the Service and the port of the container in line.',
  (service, moment, name) => {
    const backends = moment.graph.behind(service);
    const own = moment.changesOf(service).find(({ fields }) => fields.some(isHarmful));
    const declared = [...new Set(backends.flatMap(declaredPorts))];
    const wrong = portsOf(service.fields['ports']).find(
      ({ target }) => declared.length > 0 && !declared.includes(target),
    );
    const [rollout] = backends.flatMap((one) => templateChange(one, moment, /\.ports$/) ?? []);
    const change = own ?? (wrong && rollout);
    if (change === undefined) return [];
    const [backend] = own === undefined ? backends : [];
    const ports = change.fields.find(({ field }) => field.endsWith('ports'));
    const told = moment.graph
      .callersOf(service)
      .flatMap(({ texts }) => texts)
      .find(({ text }) => text.includes(service.name));
    return [
      {
        ...(backend !== undefined && { entities: [backend.entity] }),
        finding:
          wrong === undefined
            ? `The ports of ${name} changed at ${clock(change.at)}: ${ports === undefined ? '' : fieldText(ports)}.`
            : `${name} sends to port ${wrong.target}, but its pods listen on ${declared.join(', ')}.`,
        change,
        evidence: [changeWords(change), quote(told)],
      },
    ];
  },
);

const LABELS = 'template.labels.';
const listed = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') || 'none';
/** A Service leads to no pod because its selector, or the labels of the pods, changed. */
const serviceSelector = serviceMechanism(
  'selector_matches_nothing',
  'Service without pods',
  'Correct the selector of the Service, or the labels of the pods.',
  (service, moment, name) => {
    const selector = fieldsBelow(service.fields, SELECTOR);
    const matched = moment.index.selected(service, selector);
    const change = moment
      .changesOf(service)
      .find(({ fields }) => fields.some(({ field }) => field.startsWith(SELECTOR)));
    const isSame = moment.graph.behind(service).every((one) => matched.includes(one));
    if (change !== undefined && isSame && matched.length > 0) return [];
    if (change !== undefined) {
      const where = matched.map(({ entity }) => nameOf(entity)).join(', ');
      const finding =
        where === ''
          ? `The selector of ${name} matches no pod since ${clock(change.at)}.`
          : `The selector of ${name} changed at ${clock(change.at)}, and leads to ${where}.`;
      return [{ finding, change, evidence: [changeWords(change), `selector ${listed(selector)}`] }];
    }
    if (Object.keys(selector).length === 0 || matched.length > 0) return [];
    // The Service is as it was: the labels of a workload were taken from it.
    return inNamespaceOf(service, moment).flatMap((workload) => {
      const labels = moment
        .changesOf(workload.ref)
        .find(({ fields }) =>
          fields.some(({ field }) => field.startsWith(LABELS) && Object.hasOwn(selector, field.slice(LABELS.length))),
        );
      if (labels === undefined) return [];
      return [
        {
          entities: [workload.entity],
          finding: `The labels of ${nameOf(workload.entity)} changed at ${clock(labels.at)}, and ${name} finds no pod.`,
          change: labels,
          evidence: [changeWords(labels), `selector ${listed(selector)}`, `labels ${listed(labelsOf(workload))}`],
        },
      ];
    });
  },
);

export const serviceMechanisms: readonly Mechanism[] = [servicePort, serviceSelector];
