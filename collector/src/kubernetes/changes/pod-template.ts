import type { V1Container, V1EnvFromSource, V1PodSpec, V1PodTemplateSpec, V1Volume } from '@kubernetes/client-node';
import type { Fields } from './described.ts';

/** Describes the template of a workload's pods, field by field. */
export function describeTemplate(template: V1PodTemplateSpec | undefined, fields: Fields): void {
  if (!template) return;
  fields.each('template.labels', template.metadata?.labels);
  // Their values may be anything. A checksum of a configuration is the usual one.
  for (const [name, value] of Object.entries(template.metadata?.annotations ?? {}))
    fields.digest(`template.annotations.${name}`, value);
  const { spec } = template;
  if (!spec) return;
  for (const one of spec.containers ?? []) describeContainer(`containers.${one.name}`, one, fields);
  for (const one of spec.initContainers ?? []) describeContainer(`initContainers.${one.name}`, one, fields);
  describePod(spec, fields);
}

function describePod(spec: V1PodSpec, fields: Fields): void {
  for (const volume of spec.volumes ?? []) fields.set(`volumes.${volume.name}`, volumeText(volume));
  fields.set('serviceAccountName', spec.serviceAccountName);
  fields.each('securityContext', spec.securityContext);
  fields.each('nodeSelector', spec.nodeSelector);
  fields.set('affinity', spec.affinity);
  fields.set('tolerations', spec.tolerations);
  fields.set('topologySpreadConstraints', spec.topologySpreadConstraints);
  fields.set('priorityClassName', spec.priorityClassName);
  fields.set('runtimeClassName', spec.runtimeClassName);
  fields.set('terminationGracePeriodSeconds', spec.terminationGracePeriodSeconds);
  fields.set('activeDeadlineSeconds', spec.activeDeadlineSeconds);
  fields.set('restartPolicy', spec.restartPolicy);
  fields.set('dnsPolicy', spec.dnsPolicy);
  fields.set('dnsConfig', spec.dnsConfig);
  fields.set('hostNetwork', spec.hostNetwork);
  fields.set(
    'imagePullSecrets',
    spec.imagePullSecrets?.map(({ name }) => name),
  );
}

function describeContainer(path: string, container: V1Container, fields: Fields): void {
  const { resources } = container;
  fields.set(`${path}.image`, container.image);
  fields.set(`${path}.imagePullPolicy`, container.imagePullPolicy);
  fields.words(`${path}.command`, container.command);
  fields.words(`${path}.args`, container.args);
  fields.set(`${path}.workingDir`, container.workingDir);
  fields.set(`${path}.ports`, container.ports?.map(portText).join(', '));
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'] as const)
    fields.set(`${path}.${probe}`, container[probe]);
  fields.each(`${path}.resources.requests`, resources?.requests);
  fields.each(`${path}.resources.limits`, resources?.limits);
  fields.set(
    `${path}.volumeMounts`,
    container.volumeMounts
      ?.map(({ name, mountPath, readOnly, subPath }) =>
        [name, mountPath, ...(subPath ? [`subPath ${subPath}`] : []), ...(readOnly ? ['read-only'] : [])].join(' '),
      )
      .join(', '),
  );
  fields.each(`${path}.securityContext`, container.securityContext);
  for (const { name, value, valueFrom } of container.env ?? [])
    fields.digest(`${path}.env.${name}`, value ?? valueFrom);
  fields.set(`${path}.envFrom`, container.envFrom?.map(sourceText).join(', '));
}

const portText = ({ name, containerPort, protocol }: NonNullable<V1Container['ports']>[number]): string =>
  `${name ? `${name} ` : ''}${String(containerPort)}/${protocol ?? 'TCP'}`;

const sourceText = ({ configMapRef, secretRef, prefix }: V1EnvFromSource): string =>
  [
    ...(configMapRef ? [`ConfigMap ${configMapRef.name ?? ''}`] : []),
    ...(secretRef ? [`Secret ${secretRef.name ?? ''}`] : []),
    ...(prefix ? [`prefix ${prefix}`] : []),
  ].join(' ');

/** The kind of a volume and the name of what it mounts: never its content. */
function volumeText(volume: V1Volume): string {
  const [kind = 'none', source] = Object.entries(volume).find(([key, value]) => key !== 'name' && value) ?? [];
  const { name, secretName, claimName, path, server } = (source ?? {}) as Record<string, unknown>;
  const target = [name, secretName, claimName, server, path].find((one) => typeof one === 'string');
  return typeof target === 'string' ? `${kind} ${target}` : kind;
}
