import { afterEach, beforeEach, expect, test } from 'vitest';
import { PRODUCT_REGISTRY, PRODUCT_TAG } from './product-images.ts';
import { type Dashboard, dashboardAddress, signIn } from './testing/dashboard.ts';
import { NAMESPACE, deploymentsReady, inNamespace, installRelease, remove, upgrade } from './testing/install.ts';
import { kubectl, list, makeNamespace, until } from './testing/release.ts';

const BACKUP = '--set=backup.enabled=true,backup.encryption.existingSecret=backup-passphrase,nodeAgent.enabled=false';
const FOLDER = '/var/lib/plimsoll-backups';
const apply = (...items: object[]) =>
  kubectl(['apply', '-n', NAMESPACE, '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
const secret = (name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData,
});

beforeEach(() => {
  makeNamespace(NAMESPACE, 'privileged');
  apply(secret('backup-passphrase', { passphrase: 'correct horse battery staple' }));
});
afterEach(remove);

async function installed(...more: string[]): Promise<Dashboard> {
  installRelease([BACKUP, ...more]);
  deploymentsReady();
  return signIn(dashboardAddress(NAMESPACE));
}
const silence = (dashboard: Dashboard, comment: string) =>
  dashboard.post('/api/alerts/silences', { metric: 'cpu_usage', duration_seconds: 86_400, comment });
const silences = async (dashboard: Dashboard): Promise<string[]> => {
  const answer = await dashboard.get<{ silences: { comment: string }[] }>('/api/alerts/silences');
  return answer.silences.map(({ comment }) => comment);
};
const podsOf = (component: string) => list(['pods', '-n', NAMESPACE, '-l', `app.kubernetes.io/component=${component}`]);

/** Restores as docs/backup.md says, and returns what the Job printed. */
function restore(file: string): string {
  upgrade('--set', `backup.restore.file=${file}`);
  inNamespace('wait', '--for=condition=complete', 'job', '-l', 'app.kubernetes.io/component=restore', '--timeout=170s');
  expect(podsOf('api')).toEqual([]);
  const printed = inNamespace('logs', '-l', 'app.kubernetes.io/component=restore', '--tail=-1');
  upgrade('--set', 'backup.restore.file=');
  deploymentsReady();
  return printed;
}

test('the API backs its embedded database up, and the Job restores what a backup holds', async () => {
  const dashboard = await installed();
  const log = () => inNamespace('logs', 'deployment/plimsoll-api', '-c', 'api', '--tail=-1');
  await until('the backup of today', 60, () => (log().includes('backup written') ? true : null));
  await silence(dashboard, 'kept');
  inNamespace(
    'exec',
    'deployment/plimsoll-api',
    '-c',
    'api',
    '--',
    'node',
    'api/src/cli/backup.ts',
    `${FOLDER}/now.backup`,
  );
  await silence(dashboard, 'made after the backup');
  expect(restore('now.backup')).toMatch(/restored: [\d,]+ rows of \d+ tables/);
  expect(await silences(await signIn(dashboardAddress(NAMESPACE)))).toEqual(['kept']);
}, 600_000);

/** PostgreSQL of the API's image, as a database of the operator's. */
const DATABASE = `
import { packagedBinaries, usableBinaries } from '/app/api/src/database/embedded/binaries.ts';
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
const bin = usableBinaries(packagedBinaries(), '/tmp/programs', null);
execFileSync(bin + '/initdb', ['-D', '/tmp/db', '-U', 'plimsoll', '-A', 'trust', '-E', 'UTF8', '--no-locale']);
appendFileSync('/tmp/db/pg_hba.conf', 'host all all all trust');
spawn(bin + '/postgres', ['-D', '/tmp/db', '-c', 'listen_addresses=*', '-c', 'unix_socket_directories=/tmp'], { stdio: 'inherit' });
`;

function startDatabase(): void {
  const metadata = { name: 'database', labels: { app: 'database' } };
  const container = {
    name: 'main',
    image: `${PRODUCT_REGISTRY}/plimsoll-api:${PRODUCT_TAG}`,
    imagePullPolicy: 'IfNotPresent',
    command: ['node', '--input-type=module', '--eval', DATABASE],
    readinessProbe: { tcpSocket: { port: 5432 }, periodSeconds: 1 },
    // The image holds no /tmp.
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  };
  const spec = {
    terminationGracePeriodSeconds: 1,
    containers: [container],
    securityContext: { fsGroup: 10001 },
    volumes: [{ name: 'tmp', emptyDir: {} }],
  };
  apply(
    { apiVersion: 'v1', kind: 'Pod', metadata, spec },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: metadata.labels, ports: [{ port: 5432 }] } },
    secret('db', { DATABASE_URL: 'postgresql://plimsoll@database/postgres' }),
  );
  inNamespace('wait', '--for=condition=Ready', 'pod/database', '--timeout=120s');
}

test('the CronJob backs a database of its own up, and the Job restores the backup', async () => {
  startDatabase();
  const dashboard = await installed('--set=api.database.existingSecret=db,api.persistence.enabled=false');
  await silence(dashboard, 'kept');
  inNamespace('create', 'job', '--from=cronjob/plimsoll-backup', 'now');
  inNamespace('wait', '--for=condition=complete', 'job/now', '--timeout=120s');
  const printed = inNamespace('logs', 'job/now');
  const file = /plimsoll-\d\S+\.backup/.exec(printed)?.[0] ?? printed;
  expect(printed).toContain('encrypted');
  await silence(dashboard, 'made after the backup');
  expect(restore(file)).toContain('restored: ');
  expect(await silences(await signIn(dashboardAddress(NAMESPACE)))).toEqual(['kept']);
}, 600_000);
