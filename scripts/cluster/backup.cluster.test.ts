import { afterEach, beforeEach, expect, test } from 'vitest';
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
