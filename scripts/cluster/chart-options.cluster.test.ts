// Needs helm and no cluster.
import { expect, test } from 'vitest';
import { EXAMPLE_TOKEN, type KubernetesObject, podOf, render, workload } from './testing/release.ts';

interface Container {
  args?: string[];
  env: { name: string; value?: string }[];
  ports: { name: string; containerPort: number }[];
}
const containerOf = (objects: KubernetesObject[], name: string): Container => {
  const { containers } = podOf(workload(objects, name)).spec as { containers: Container[] };
  if (!containers[0]) throw new Error('no container');
  return containers[0];
};
const kindsOf = (objects: KubernetesObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const OWN_DATABASE = 'api.database.existingSecret=db,api.persistence.enabled=false';

test('/metrics of the API has a port and a Service of its own, which Ingress, HTTPRoute and load balancer leave out', () => {
  const route = 'api.httpRoute.enabled=true,api.httpRoute.parentRefs[0].name=gateway';
  const ingress = 'api.ingress.enabled=true,api.ingress.hosts={plimsoll.example.com}';
  const objects = render(['--set', `${route},${ingress},api.service.type=LoadBalancer,api.metricsPort=9999`]);
  const api = containerOf(objects, 'api');
  expect(api.env).toContainEqual({ name: 'PLIMSOLL_METRICS_PORT', value: '9999' });
  expect(api.ports).toContainEqual({ name: 'metrics', containerPort: 9999, protocol: 'TCP' });
  const services = objects.filter(({ kind, metadata }) => kind === 'Service' && metadata.name.includes('-api'));
  expect(services.map(({ metadata, spec }) => [metadata.name, spec?.['type'], spec?.['ports']])).toEqual([
    ['plimsoll-api-metrics', 'ClusterIP', [{ name: 'metrics', port: 9999, targetPort: 'metrics' }]],
    ['plimsoll-api', 'LoadBalancer', [{ name: 'http', port: 80, targetPort: 'http' }]],
  ]);
  for (const kind of ['Ingress', 'HTTPRoute'])
    expect(JSON.stringify(objects.find((object) => object.kind === kind))).not.toMatch(/metrics|9999/);
});

test('autoscaling leaves the replicas to the autoscaler, of the API version the cluster has', () => {
  const set = ['--set', `api.autoscaling.enabled=true,${OWN_DATABASE}`];
  const version = (kubernetes: string) =>
    render([...set, '--kube-version', kubernetes]).find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.apiVersion;
  expect([version('1.22.0'), version('1.23.0')]).toEqual(['autoscaling/v2beta2', 'autoscaling/v2']);
  const objects = render(set);
  expect(workload(objects, 'api').spec).not.toHaveProperty('replicas');
  expect(workload(objects, 'api').spec).toMatchObject({ strategy: { type: 'RollingUpdate' } });
  expect(kindsOf(objects)).toContain('PodDisruptionBudget plimsoll-api');
});

test('without a volume the key that seals secrets is in a Secret that outlives the release', () => {
  const made = 'Secret plimsoll-secret-key';
  expect(kindsOf(render([]))).not.toContain(made);
  const objects = render(['--set', OWN_DATABASE]);
  expect(kindsOf(objects)).toContain(made);
  const secret = objects.find(({ metadata }) => metadata.name === 'plimsoll-secret-key') as KubernetesObject & {
    data: Record<string, string>;
  };
  expect(secret.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  const key = Buffer.from(secret.data['PLIMSOLL_SECRET_KEY'] ?? '', 'base64').toString();
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  const given = render(['--set', `${OWN_DATABASE},api.secretKey.existingSecret=mine`]);
  expect(kindsOf(given)).not.toContain(made);
  expect(JSON.stringify(workload(given, 'api'))).toContain('"secretName":"mine"');
});

test('the address of PostgreSQL itself comes from the Secret of the database', () => {
  const listen = (set: string) =>
    containerOf(render(['--set', set]), 'api').env.find(({ name }) => name === 'PLIMSOLL_LISTEN_URL_FILE')?.value;
  expect(listen(OWN_DATABASE)).toBeUndefined();
  expect(listen(`${OWN_DATABASE},api.database.listenKey=direct`)).toBe('/etc/plimsoll/database/direct');
  const urls = 'api.database.url=postgresql://pooler/plimsoll,api.database.listenUrl=postgresql://db/plimsoll';
  expect(listen(`${urls},api.persistence.enabled=false`)).toBe('/etc/plimsoll/database/PLIMSOLL_LISTEN_URL');
});

test('the time-series store has both addresses, and its token from a Secret', () => {
  const store = (set: string) =>
    containerOf(render(['--set', set]), 'api').env.filter(({ name }) => name.startsWith('PLIMSOLL_SERIES_'));
  expect(store('api.replicas=1')).toEqual([]);
  const urls = 'api.seriesStore.writeUrl=http://store/write,api.seriesStore.readUrl=http://store';
  expect(store(`${urls},api.seriesStore.existingSecret=store`)).toEqual([
    { name: 'PLIMSOLL_SERIES_WRITE_URL', value: 'http://store/write' },
    { name: 'PLIMSOLL_SERIES_READ_URL', value: 'http://store' },
    { name: 'PLIMSOLL_SERIES_TOKEN', valueFrom: { secretKeyRef: { name: 'store', key: 'PLIMSOLL_SERIES_TOKEN' } } },
  ]);
  expect(() => render(['--set', 'api.seriesStore.writeUrl=http://store/write'])).toThrow(/readUrl/);
});

test('the authority of the database is mounted only with a database of its own', () => {
  const ca = (set: string) =>
    containerOf(render(['--set', `${set},api.database.caSecret.name=ca`]), 'api').env.find(
      ({ name }) => name === 'DATABASE_CA_FILE',
    )?.value;
  expect(ca(OWN_DATABASE)).toBe('/etc/plimsoll/database-ca/ca.crt');
  expect(ca('api.replicas=1')).toBeUndefined();
});

test('Prometheus keeps its figures on a volume, runs on the chosen nodes, and takes more arguments', () => {
  const set = 'prometheus.persistence.enabled=true,prometheus.extraArgs={--query.max-concurrency=4}';
  const place = 'prometheus.priorityClassName=low,prometheus.nodeSelector.disk=ssd,prometheus.podLabels.team=a';
  const objects = render(['--set', `${set},${place}`]);
  expect(kindsOf(objects)).toContain('PersistentVolumeClaim plimsoll-prometheus');
  const pod = podOf(workload(objects, 'prometheus'));
  expect(pod.spec).toMatchObject({ priorityClassName: 'low', nodeSelector: { disk: 'ssd' } });
  expect(pod.metadata.labels).toMatchObject({ team: 'a' });
  expect(JSON.stringify(pod.spec?.['volumes'])).toContain('"claimName":"plimsoll-prometheus"');
  expect(containerOf(objects, 'prometheus').args).toContain('--query.max-concurrency=4');
  expect(kindsOf(render([]))).not.toContain('PersistentVolumeClaim plimsoll-prometheus');
});

interface Policy extends KubernetesObject {
  spec: { policyTypes: string[]; egress?: { to?: object[]; ports?: { port: number }[] }[] };
}
const policyOf = (set: string, name: string): Policy =>
  render(['--set', `networkPolicy.egress.enabled=true,${set}`]).find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `plimsoll-${name}`,
  ) as Policy;
const portsOf = ({ spec }: Policy) => (spec.egress ?? []).flatMap(({ ports }) => (ports ?? []).map(({ port }) => port));

test('outgoing connections are limited on request, to the ports of the addresses that are set', () => {
  const types = (args: string[]) =>
    render(args)
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ spec }) => String(spec?.['policyTypes']));
  expect(new Set(types([]))).toEqual(new Set(['Ingress']));
  expect(new Set(types(['--set', 'networkPolicy.egress.enabled=true']))).toEqual(new Set(['Ingress,Egress']));
  expect(portsOf(policyOf('api.replicas=1', 'node-agent'))).toEqual([53, 53, 8420, 10_250]);
  const elsewhere = (endpoint: string) =>
    `api.enabled=false,token.value=${EXAMPLE_TOKEN},allowHttp=true,endpoint=${endpoint}`;
  expect(portsOf(policyOf(elsewhere('https://x.example.com/a:9'), 'node-agent'))).toContain(443);
  expect(portsOf(policyOf(elsewhere('http://x.example.com'), 'node-agent'))).toContain(80);
  expect(portsOf(policyOf(elsewhere('https://[fd00::1]:8443'), 'node-agent'))).toContain(8443);
  const collector = policyOf('prometheus.url=http://prometheus.monitoring.svc:9091/x', 'cluster-collector');
  expect(portsOf(collector)).toEqual([53, 53, 8420, 443, 6443, 9091]);
  expect(policyOf('api.replicas=1', 'api').spec.egress).toEqual([{}]);
  expect(portsOf(policyOf('networkPolicy.egress.apiTo[0].ports[0].port=5432', 'api'))).toEqual([53, 53, 5432]);
});

test('every Service gets the families of addresses, and that of the dashboard may have its own', () => {
  const families = (set: string) =>
    render(['--set', set])
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata, spec }) => [metadata.name, spec?.['ipFamilyPolicy'], spec?.['ipFamilies']]);
  const names = ['plimsoll-api-metrics', 'plimsoll-api', 'plimsoll-kube-state-metrics', 'plimsoll-prometheus'];
  expect(families('api.replicas=1')).toEqual(names.map((name) => [name, undefined, undefined]));
  const all = 'service.ipFamilyPolicy=RequireDualStack,service.ipFamilies={IPv6,IPv4}';
  expect(families(all)).toEqual(names.map((name) => [name, 'RequireDualStack', ['IPv6', 'IPv4']]));
  const own = 'api.service.ipFamilyPolicy=SingleStack,api.service.ipFamilies={IPv4}';
  expect(families(`${all},${own}`)).toEqual(
    names.map((name) =>
      name === 'plimsoll-api' ? [name, 'SingleStack', ['IPv4']] : [name, 'RequireDualStack', ['IPv6', 'IPv4']],
    ),
  );
});

test('each part listens on both families, and no policy names an address', () => {
  const objects = render(['--set', 'networkPolicy.egress.enabled=true,nodeExporter.enabled=true']);
  expect(containerOf(objects, 'api').env).toContainEqual({ name: 'PLIMSOLL_HOST', value: '::' });
  expect(containerOf(objects, 'prometheus').args).toContain('--web.listen-address=:9090');
  expect(JSON.stringify(objects.filter(({ kind }) => kind === 'NetworkPolicy'))).not.toContain('ipBlock');
});

test.each(['backup', 'api.seriesStore', 'clusterCollector.podDisruptionBudget'])(
  'values of an older chart, without %s, are refused with the path',
  (group) => {
    const parts = group.split('.');
    const last = parts.pop() ?? '';
    const path = parts.length === 0 ? '' : `/${parts.join('/')}`;
    expect(() => render(['--set', `${group}=null`])).toThrow(`at '${path}': missing property '${last}'`);
  },
);
