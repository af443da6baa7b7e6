import { nameOf, objectEntity } from '../../entities.ts';
import type { ChangeSeen, FieldSeen, ObjectSeen } from '../../evidence.ts';
import { clock } from '../../figures.ts';
import { SELECTOR } from '../../graph.ts';
import { fieldsBelow, labelsOf, refOf } from '../../index-objects.ts';
import { each, type Candidate, type Mechanism } from '../../mechanism.ts';
import type { WorkloadMoment } from '../../moment.ts';
import { quote } from '../../words.ts';
import { declaredPorts, ifNoticed } from '../../workload-states.ts';
import { changeWords, fieldText } from '../../change-words.ts';

/** Makes a mechanism that looks at each Service: its relation to the pods behind it does not hold. */
const serviceMechanism = each<
  ObjectSeen,
  Pick<Candidate, 'finding' | 'evidence' | 'next'> & { change: ChangeSeen; guilty?: WorkloadMoment | undefined }
>(
  (moment) => moment.index.objectsOf('Service'),
  (service, { change, guilty, ...found }, moment) => {
    const entity = objectEntity(refOf(service));
    return {
      ...found,
      entities: [guilty?.entity ?? entity],
      reaches: [entity],
      since: change.at,
      change,
      specificity: ifNoticed('broken', change.at, moment),
      brings: ['failing', 'missing'],
    };
  },
);

const PORT = /(\d{1,5}→([\w-]{1,63}))\//g;
const portsOf = (text: string | null | undefined): { way: string; target: string }[] =>
  [...(text ?? '').matchAll(PORT)].map(([, way = '', target = '']) => ({ way, target }));
/** A port that was there and no longer leads where it led. A port that is added beside the others does no harm. */
function isHarmful({ field, before, after }: FieldSeen): boolean {
  const now = new Set(portsOf(after).map(({ way }) => way));
  return field === 'ports' && portsOf(before).some(({ way }) => !now.has(way));
}

/** A Service sends to a port on which no container listens. */
const servicePort = serviceMechanism('service_port_mismatch', 'Service sends to another port', (service, moment) => {
  const name = nameOf(objectEntity(refOf(service)));
  const backends = moment.behind(service);
  const own = moment.changesOf(service).find(({ fields }) => fields.some(isHarmful));
  const declared = [...new Set(backends.flatMap(declaredPorts))];
  const wrong = portsOf(service.fields['ports']).find(
    ({ target }) => declared.length > 0 && !declared.includes(target),
  );
  const [rollout] = backends.flatMap((one) => one.rollout(/\.ports$/) ?? []);
  const change = own ?? (wrong && rollout);
  if (change === undefined) return null;
  const [backend] = own === undefined ? backends : [];
  const ports = change.fields.find(({ field }) => field.endsWith('ports'));
  return {
    guilty: backend,
    finding:
      wrong === undefined
        ? `The ports of ${name} changed at ${clock(change.at)}: ${ports === undefined ? '' : fieldText(ports)}.`
        : `${name} sends to port ${wrong.target}, but its pods listen on ${declared.join(', ')}.`,
    change,
    evidence: [changeWords(change), quote(moment.saidAbout(service))],
    next: 'Put targetPort of the Service and the port of the container in line.',
  };
});

const LABELS = 'template.labels.';
const listed = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') || 'none';
/** A Service leads to no pod because its selector, or the labels of the pods, changed. */
const serviceSelector = serviceMechanism('selector_matches_nothing', 'Service without pods', (service, moment) => {
  const name = nameOf(objectEntity(refOf(service)));
  const next = 'Correct the selector of the Service, or the labels of the pods.';
  const selector = fieldsBelow(service.fields, SELECTOR);
  const matched = moment.index.selected(service, selector);
  const change = moment.changesOf(service).find(({ fields }) => fields.some(({ field }) => field.startsWith(SELECTOR)));
  const isSame = moment.behind(service).every(({ key }) => matched.some((one) => one.key === key));
  if (change !== undefined && isSame && matched.length > 0) return null;
  if (change !== undefined) {
    const where = matched.map(({ entity }) => nameOf(entity)).join(', ');
    const finding =
      where === ''
        ? `The selector of ${name} matches no pod since ${clock(change.at)}.`
        : `The selector of ${name} changed at ${clock(change.at)}, and leads to ${where}.`;
    return { finding, change, evidence: [changeWords(change), `selector ${listed(selector)}`], next };
  }
  if (Object.keys(selector).length === 0 || matched.length > 0) return null;
  // The Service is as it was: the labels of a workload were taken from it.
  const isTaken = ({ field }: FieldSeen): boolean =>
    field.startsWith(LABELS) && Object.hasOwn(selector, field.slice(LABELS.length));
  const [taken] = moment.inNamespaceOf(service).flatMap((guilty) => {
    const labels = moment.changesOf(guilty.ref).find(({ fields }) => fields.some(isTaken));
    return labels === undefined ? [] : [{ guilty, change: labels }];
  });
  if (taken === undefined) return null;
  return {
    ...taken,
    finding: `The labels of ${taken.guilty.name} changed at ${clock(taken.change.at)}, and ${name} finds no pod.`,
    evidence: [changeWords(taken.change), `selector ${listed(selector)}`, `labels ${listed(labelsOf(taken.guilty))}`],
    next,
  };
});

/** Workloads that were created in one go belong together. */
const TOGETHER_SECONDS = 30;
/** The selector of a Service matches an older workload and a new one: requests are shared between them. */
const serviceShared = serviceMechanism('selector_overlaps', 'Service leads to two programs', (service, moment) => {
  const [older, ...others] = moment.behind(service).toSorted((a, b) => (a.creation?.at ?? 0) - (b.creation?.at ?? 0));
  const guilty = others.at(-1);
  const change = guilty?.creation;
  if (older === undefined || guilty === undefined || change === undefined) return null;
  if (change.at - (older.creation?.at ?? 0) < TOGETHER_SECONDS) return null;
  const name = nameOf(objectEntity(refOf(service)));
  return {
    guilty,
    finding: `${guilty.name} came at ${clock(change.at)} with the labels of ${older.ref.name}: ${name} sends to both.`,
    change,
    evidence: [
      `selector ${listed(fieldsBelow(service.fields, SELECTOR))}`,
      `${String(guilty.pods.length)} of ${String(guilty.pods.length + older.pods.length)} pods are of ${guilty.ref.name}`,
    ],
    next: `Give its pods other labels, unless they are a new version of ${older.ref.name}; then compare their answers.`,
  };
});

export const serviceMechanisms: readonly Mechanism[] = [servicePort, serviceSelector, serviceShared];
