import { nameOf, objectEntity } from '../../entities.ts';
import { clock } from '../../figures.ts';
import type { FieldSeen } from '../../evidence.ts';
import { refOf, type Workload } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import { changeWords, describeCommand, fieldText, templateChange } from '../../workload-states.ts';

const PORT = /(\d{1,5})→([\w-]{1,63})\//g;
const portsOf = (text: string | undefined): { port: string; target: string }[] =>
  [...(text ?? '').matchAll(PORT)].map(([, port = '', target = '']) => ({ port, target }));

/** Numbers and names of the ports that the containers declare. */
const declaredBy = (workload: Workload): string[] =>
  Object.entries(workload.object?.fields ?? {}).flatMap(([field, value]) =>
    /^containers\..{1,253}\.ports$/.test(field)
      ? value.split(', ').flatMap((one) => (one.split('/', 1)[0] ?? '').split(' '))
      : [],
  );

/** A port that was there and no longer leads where it led. A port that is added beside the others does no harm. */
function isHarmful({ field, before, after }: FieldSeen): boolean {
  const now = portsOf(after ?? '').map(({ port, target }) => `${port} ${target}`);
  return field === 'ports' && portsOf(before ?? '').some(({ port, target }) => !now.includes(`${port} ${target}`));
}

/** A Service sends to a port on which no container listens. */
export const servicePort: Mechanism = {
  id: 'service_port_mismatch',
  title: 'Service sends to another port',
  needs: ['objects', 'changes'],
  recognise: (moment) =>
    moment.index.objectsOf('Service').flatMap((service): Candidate[] => {
      const entity = objectEntity(refOf(service));
      const backends = moment.graph.behind(service);
      const change = moment.changesOf(service).find(({ fields }) => fields.some(isHarmful));
      const declared = [...new Set(backends.flatMap(declaredBy))];
      const wrong =
        declared.length === 0
          ? []
          : portsOf(service.fields['ports']).filter(({ target }) => !declared.includes(target));
      const rollouts = backends
        .map((workload) => templateChange(workload, moment, /\.ports$/))
        .find((one) => one !== undefined);
      if (change === undefined && (wrong.length === 0 || rollouts === undefined)) return [];
      const [first] = wrong;
      const [backend] = backends;
      const isOwn = change !== undefined || backend === undefined;
      const cause = change ?? rollouts;
      const told = moment.graph
        .callersOf(service)
        .flatMap(({ texts }) => texts)
        .find(({ text }) => text.includes(service.name));
      return [
        {
          entities: [isOwn ? entity : backend.entity],
          reaches: [entity],
          finding:
            first === undefined
              ? `The ports of ${nameOf(entity)} changed at ${clock(cause?.at ?? moment.firstAt)}: ${fieldText(cause?.fields.find(({ field }) => field === 'ports') ?? NO_FIELD)}.`
              : `${nameOf(entity)} sends to port ${first.target}, but its pods listen on ${declared.join(', ')}.`,
          since: cause?.at ?? null,
          change: cause,
          specificity: 'broken',
          brings: ['failing', 'missing'],
          evidence: [
            cause !== undefined && changeWords(cause),
            told !== undefined && { text: quoted(told.text), at: told.at },
          ],
          next: 'Put targetPort of the Service and the port of the container in line.',
          command: describeCommand('service', service.namespace, service.name),
        },
      ];
    }),
};
const NO_FIELD = { field: 'ports', was: 'changed', before: null, after: null } as const;
