import type {
  V1EndpointSlice,
  V1Ingress,
  V1IngressBackend,
  V1MutatingWebhookConfiguration,
  V1NetworkPolicy,
  V1Service,
  V1ValidatingWebhookConfiguration,
} from '@kubernetes/client-node';
import type { Fields } from './described.ts';

export function describeService({ spec }: V1Service, fields: Fields): void {
  fields.set('type', spec?.type);
  fields.set(
    'ports',
    spec?.ports
      ?.map(
        ({ name, port, targetPort, nodePort, protocol }) =>
          `${name ? `${name} ` : ''}${String(port)}→${String(targetPort ?? port)}/${protocol ?? 'TCP'}` +
          (nodePort ? ` node port ${String(nodePort)}` : ''),
      )
      .join(', '),
  );
  fields.each('selector', spec?.selector);
  fields.set('externalName', spec?.externalName);
  fields.set('externalTrafficPolicy', spec?.externalTrafficPolicy);
  fields.set('internalTrafficPolicy', spec?.internalTrafficPolicy);
  fields.set('sessionAffinity', spec?.sessionAffinity);
  fields.set('publishNotReadyAddresses', spec?.publishNotReadyAddresses);
  fields.set('headless', spec?.clusterIP === 'None' ? true : undefined);
}

/** Addresses come and go with the pods. Their number is what a client of the Service notices. */
export function describeSlice({ metadata, endpoints, ports }: V1EndpointSlice, fields: Fields): void {
  const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  fields.set('service', metadata?.labels?.['kubernetes.io/service-name']);
  fields.set(
    'readyAddresses',
    ready.reduce((sum, { addresses }) => sum + addresses.length, 0),
  );
  fields.set('ports', ports?.map(({ port, protocol }) => `${String(port ?? 'all')}/${protocol ?? 'TCP'}`).join(', '));
}

export function describeIngress({ spec }: V1Ingress, fields: Fields): void {
  fields.set('ingressClassName', spec?.ingressClassName);
  fields.set('defaultBackend', spec?.defaultBackend && backendText(spec.defaultBackend));
  for (const { host, http } of spec?.rules ?? [])
    for (const { path, backend } of http?.paths ?? [])
      fields.set(`rules.${host ?? '*'}${path ?? '/'}`, backendText(backend));
  for (const { hosts, secretName } of spec?.tls ?? [])
    fields.set(`tls.${(hosts ?? ['*']).join(',')}`, `Secret ${secretName ?? 'none'}`);
}

const backendText = ({ service, resource }: V1IngressBackend): string =>
  service
    ? `Service ${service.name}:${String(service.port?.name ?? service.port?.number ?? '')}`
    : `${resource?.kind ?? 'resource'} ${resource?.name ?? ''}`;

export function describeNetworkPolicy({ spec }: V1NetworkPolicy, fields: Fields): void {
  fields.set('podSelector', JSON.stringify(spec?.podSelector ?? {}));
  fields.set('policyTypes', spec?.policyTypes);
  fields.set('ingress', spec?.ingress && JSON.stringify(spec.ingress));
  fields.set('egress', spec?.egress && JSON.stringify(spec.egress));
}

export function describeWebhooks(
  { webhooks }: V1MutatingWebhookConfiguration | V1ValidatingWebhookConfiguration,
  fields: Fields,
): void {
  for (const { name, clientConfig, failurePolicy, timeoutSeconds, ...hook } of webhooks ?? []) {
    const { service, url, caBundle } = clientConfig;
    fields.set(`webhooks.${name}.failurePolicy`, failurePolicy);
    fields.set(`webhooks.${name}.timeoutSeconds`, timeoutSeconds);
    fields.set(`webhooks.${name}.target`, service ? `Service ${service.namespace}/${service.name}` : url);
    fields.set(`webhooks.${name}.rules`, hook.rules);
    fields.set(`webhooks.${name}.namespaceSelector`, hook.namespaceSelector);
    fields.set(`webhooks.${name}.objectSelector`, hook.objectSelector);
    if (caBundle) fields.digest(`webhooks.${name}.caBundle`, caBundle);
  }
}
