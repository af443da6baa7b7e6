// Needs helm and no cluster.
import { expect, test } from 'vitest';
import { EXAMPLE_TOKEN, type KubernetesObject, podOf, render, workload } from './testing/release.ts';

interface Term {
  topologyKey: string;
  labelSelector: { matchLabels: Record<string, string> };
}
interface Pod {
  affinity?: { podAntiAffinity?: { requiredDuringSchedulingIgnoredDuringExecution: Term[] } };
  automountServiceAccountToken: boolean;
  securityContext: object;
  restartPolicy: string;
  volumes: { name: string; persistentVolumeClaim?: { claimName: string }; secret?: object; emptyDir?: object }[];
  containers: {
    image: string;
    command: string[];
    args: string[];
    env: { name: string; value?: string }[];
    securityContext: object;
    volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  }[];
}
const on = (more = ''): KubernetesObject[] => render(['--set', `backup.enabled=true${more && ','}${more}`]);
const OWN_DATABASE = 'api.database.existingSecret=db,api.persistence.enabled=false';
const find = (objects: KubernetesObject[], kind: string, name = ''): KubernetesObject | undefined =>
  objects.find((object) => object.kind === kind && object.metadata.name.includes(name));
const podIn = (object: KubernetesObject | undefined): Pod => {
  const spec = object?.spec as { template: { spec: Pod } } | undefined;
  if (spec === undefined) throw new Error('no such object');
  return spec.template.spec;
};
const backupPod = (objects: KubernetesObject[]): Pod =>
  podIn({ ...(find(objects, 'CronJob')?.spec?.['jobTemplate'] as KubernetesObject) });
const apiOf = (objects: KubernetesObject[]): Pod => podOf(workload(objects, 'api')).spec as unknown as Pod;
const valuesOf = (pod: Pod): Record<string, string | undefined> =>
  Object.fromEntries((pod.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));
const claims = (pod: Pod): (string | undefined)[] =>
  pod.volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);

test('no backup is made unless it is asked for', () => {
  expect(JSON.stringify(render([])).toLowerCase()).not.toContain('backup');
});

test('with the embedded database the API writes the backups, and no other pod has its folder', () => {
  const objects = on('backup.time=04:30,backup.keep=3,backup.encryption.existingSecret=pass');
  expect(find(objects, 'CronJob')).toBeUndefined();
  expect(valuesOf(apiOf(objects))).toMatchObject({
    PLIMSOLL_BACKUP_DIR: '/var/lib/plimsoll-backups',
    PLIMSOLL_BACKUP_TIME: '04:30',
    PLIMSOLL_BACKUP_KEEP: '3',
    PLIMSOLL_BACKUP_PASSPHRASE_FILE: '/etc/plimsoll/backup/passphrase',
  });
  expect(claims(apiOf(objects))).toEqual(['plimsoll-storage', 'plimsoll-backups']);
  const claim = find(objects, 'PersistentVolumeClaim', 'backups');
  expect(claim?.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  expect(claim?.spec).toMatchObject({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } });
  expect(find(on('backup.persistence.existingClaim=mine'), 'PersistentVolumeClaim', 'backups')).toBeUndefined();
  expect(claims(apiOf(on('backup.persistence.existingClaim=mine')))).toContain('mine');
});

test('with a database of its own a CronJob writes them, at the same time of day in UTC', () => {
  const objects = on(`${OWN_DATABASE},backup.time=04:05,backup.keep=3,api.affinity.nodeAffinity.x=y`);
  expect(find(objects, 'CronJob')).toMatchObject({
    apiVersion: 'batch/v1',
    spec: { schedule: '5 4 * * *', timeZone: 'Etc/UTC', suspend: false, concurrencyPolicy: 'Forbid' },
  });
  const pod = backupPod(objects);
  expect(pod.containers[0]?.args).toEqual(['api/src/cli/backup.ts', '/var/lib/plimsoll-backups', '--keep', '3']);
  expect(valuesOf(pod)).toMatchObject({
    DATABASE_URL_FILE: '/etc/plimsoll/database/DATABASE_URL',
    PLIMSOLL_SECRET_KEY_FILE: '/etc/plimsoll/secret-key/PLIMSOLL_SECRET_KEY',
  });
  expect(claims(pod)).toEqual(['plimsoll-backups']);
  expect(pod.affinity).toMatchObject({ nodeAffinity: { x: 'y' } });
  expect(claims(apiOf(objects))).toEqual([]);
  expect(valuesOf(apiOf(objects))).not.toHaveProperty('PLIMSOLL_BACKUP_DIR');
  const sealed = backupPod(on(`${OWN_DATABASE},backup.encryption.existingSecret=pass`));
  expect(sealed.containers[0]?.args).toContain('--include-secret-key');
});

test.each([
  ['1.19.0', 'batch/v1beta1', undefined],
  ['1.21.0', 'batch/v1', undefined],
  ['1.27.0', 'batch/v1', 'Etc/UTC'],
])('Kubernetes %s gets a CronJob of %s', (version, apiVersion, timeZone) => {
  const set = `backup.enabled=true,${OWN_DATABASE}`;
  const job = find(render(['--set', set, '--kube-version', version]), 'CronJob');
  expect([job?.apiVersion, job?.spec?.['timeZone']]).toEqual([apiVersion, timeZone]);
});

test.each([
  ['embedded', 'api.replicas=1', ['plimsoll-backups', 'plimsoll-storage']],
  ['own', OWN_DATABASE, ['plimsoll-backups']],
])('a restore into the %s database stops the API, and no pod of it can run beside', (_, database, mounted) => {
  const objects = on(`${database},backup.restore.file=a.backup,api.autoscaling.enabled=false`);
  expect(workload(objects, 'api').spec).toMatchObject({ replicas: 0 });
  const pod = podIn(find(objects, 'Job', 'restore'));
  expect(pod.containers[0]?.args).toEqual([
    'api/src/cli/restore.ts',
    '/var/lib/plimsoll-backups/a.backup',
    '--overwrite',
  ]);
  expect(claims(pod)).toEqual(mounted);
  const [term, ...others] = pod.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  expect(others).toEqual([]);
  // A label with the same value on every node: not even on two nodes at once.
  expect(term?.topologyKey).toBe('kubernetes.io/os');
  expect(podOf(workload(objects, 'api')).metadata.labels).toMatchObject(
    term?.labelSelector.matchLabels ?? { no: 'term' },
  );
  // A backup must not read a database that is half restored.
  expect(find(objects, 'CronJob')?.spec?.['suspend'] ?? true).toBe(true);
});

test('the autoscaler does not start an API that a restore stopped', () => {
  const objects = on(`${OWN_DATABASE},api.autoscaling.enabled=true,backup.restore.file=a.backup`);
  expect(workload(objects, 'api').spec).toMatchObject({ replicas: 0 });
  expect(find(objects, 'HorizontalPodAutoscaler')).toBeUndefined();
});

test('another file is another Job, and the same file the same', () => {
  const name = (more: string) => find(on(`backup.restore.file=${more}`), 'Job', 'restore')?.metadata.name;
  expect(name('a.backup')).toBe(name('a.backup'));
  expect(name('a.backup')).not.toBe(name('b.backup'));
  expect(name('a.backup,image.tag=v2')).not.toBe(name('a.backup'));
});

test('the pods of backup and restore have no more rights than the API, and no policy lets anyone in', () => {
  const objects = on(`${OWN_DATABASE},backup.restore.file=a.backup,networkPolicy.egress.enabled=true`);
  const api = apiOf(objects);
  for (const pod of [backupPod(objects), podIn(find(objects, 'Job', 'restore'))]) {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: api.securityContext,
      restartPolicy: 'Never',
    });
    expect(pod.containers[0]).toMatchObject({
      image: api.containers[0]?.image,
      securityContext: api.containers[0]?.securityContext,
    });
  }
  const policy = (set: string) => find(on(`networkPolicy.egress.enabled=true,${set}`), 'NetworkPolicy', 'backup')?.spec;
  expect(policy(OWN_DATABASE)).toMatchObject({ ingress: [], egress: [{}] });
  expect(policy('api.replicas=1')).toMatchObject({ ingress: [], egress: [] });
  const to = 'networkPolicy.egress.apiTo[0].ports[0].port=5432';
  expect(JSON.stringify(policy(`${OWN_DATABASE},${to}`)?.['egress'])).toContain('5432');
});

test.each([
  ['backup.time=3:15', 'backup.time'],
  ['backup.keep=0', 'backup.keep'],
  ['backup.schedule=x', 'backup'],
  ['backup.persistence.size=5x', 'backup.persistence.size'],
  ['backup.restore.file=../secret.key', 'backup.restore.file'],
  ['backup.encryption.key=a/b', 'backup.encryption.key'],
])('the schema refuses %s and names %s', (set, path) => {
  expect(() => on(set)).toThrow(new RegExp(`[ '/]${path.replaceAll('.', '[./]')}['":]`));
});

test('a backup needs a database of this release, and a restore its backups', () => {
  expect(() => on(`api.enabled=false,endpoint=https://x.example.com,token.value=${EXAMPLE_TOKEN}`)).toThrow(
    'needs api.enabled',
  );
  expect(() => render(['--set', 'backup.restore.file=a.backup'])).toThrow('needs backup.enabled');
});
