/** Each command of a document is run by a test that this table names, and names nothing that is not there. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../lib/web-build.ts';
import { commandsOfBlocks, type Foreign, missingNames, type Tested } from './documented-commands.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'charts/plimsoll/README.md',
  ...globSync('docs/*.md', { cwd: ROOT }),
];
const COMMANDS = DOCUMENTS.flatMap((document) => commandsOfBlocks(document, read(document)));

const tested = (command: RegExp, file: string, holds: string): Tested => ({ command, file, holds });
/** The first that fits counts. */
const TESTED: readonly Tested[] = [
  tested(/npm start -- backup/, 'api/src/cli/backup.pg.test.ts', "run('backup'"),
  tested(/^kubectl exec .*backup\.ts/, 'scripts/cluster/backup.cluster.test.ts', 'api/src/cli/backup.ts'),
  tested(/npm start -- restore/, 'api/src/cli/backup.pg.test.ts', "run('restore'"),
  tested(/npm start -- support|^kubectl .*support\.ts/, 'api/src/cli/support.pg.test.ts', "'support.ts'"),
  tested(/PLIMSOLL_BACKUP_DIR=\S+ .*npm start$/, 'api/src/main.pg.test.ts', 'PLIMSOLL_BACKUP_DIR: folder'),
  tested(/^npm start$/, 'scripts/e2e/spine.e2e.test.ts', 'npm start shows the live figures of this very machine'),
  tested(
    /^curl .*\/api\/changes/,
    'web/src/pages/changes/deploy-step-texts.test.ts',
    'sends a mark that the API accepts',
  ),
  tested(/^npm test$/, '.ci/run', "lane 'npm test' npm test"),
  tested(/^npm run check$/, '.ci/run', "lane 'npm run check' npm run check"),
  tested(
    /^npm (ci|run generate)$|^node silence-server/,
    'api/src/http/generated-client.pg.test.ts',
    'by the commands of docs/api.md',
  ),
  tested(/^curl -H "Authorization: Bearer \$TOKEN"/, 'api/src/http/matrix.pg.test.ts', "'GET /api/servers/list'"),
  tested(/^npm run build:images -- --registry \S+ --push/, 'scripts/images/main.test.ts', '--push'),
  tested(/^npm run build:images -- .*--load-into kind/, 'scripts/images/main.test.ts', '--load-into'),
  tested(/^npm run test:cluster$/, '.ci/run', 'npm run test:cluster -- ci'),
  tested(/^helm install plimsoll oci:/, 'scripts/release/registry.publish.test.ts', 'oci://'),
  tested(/^helm install/, 'scripts/cluster/testing/install.ts', "'install', RELEASE"),
  tested(/^helm upgrade --install plimsoll-collectors/, 'scripts/cluster/setup.cluster.test.ts', 'HELM_RELEASE'),
  tested(/^helm upgrade .*backup\.restore\.file/, 'scripts/cluster/backup.cluster.test.ts', 'backup.restore.file='),
  tested(/^helm upgrade .*backup\.enabled/, 'scripts/cluster/backup.cluster.test.ts', 'backup.enabled=true'),
  tested(/^helm upgrade .*channelSecrets/, 'scripts/cluster/chart-render.cluster.test.ts', 'channelSecrets'),
  tested(
    /^helm upgrade .*--reset-then-reuse-values$/,
    'scripts/cluster/silence.cluster.test.ts',
    'an upgrade, a rollback',
  ),
  tested(/^helm test/, 'scripts/cluster/install.cluster.test.ts', "helm(['test', RELEASE"),
  tested(
    /^kubectl -n plimsoll-system create secret generic plimsoll-backup/,
    'scripts/cluster/backup.cluster.test.ts',
    "secret('backup-passphrase'",
  ),
  tested(
    /^kubectl -n plimsoll-system wait .*restore/,
    'scripts/cluster/backup.cluster.test.ts',
    '--for=condition=complete',
  ),
  tested(
    /^kubectl apply .*custom-resources\.yaml/,
    'scripts/cluster/custom-resources.cluster.test.ts',
    'examples/custom-resources.yaml',
  ),
  tested(/^kubectl get plimsoll -A/, 'scripts/cluster/custom-resources.cluster.test.ts', "'get', 'plimsoll'"),
  tested(
    /^kubectl -n plimsoll-system create secret generic plimsoll-telegram/,
    'collector/src/kubernetes/operator/custom-resources.test.ts',
    'bot_token',
  ),
  tested(
    /^kubectl label namespace .*pod-security/,
    'scripts/cluster/testing/release.ts',
    'pod-security.kubernetes.io/enforce',
  ),
  tested(/^kubectl .*logs .*cluster-collector/, 'scripts/cluster/failures.cluster.test.ts', 'cluster-collector'),
  tested(/^curl .*\| sudo HTTPS_PROXY=/, 'scripts/lab/install/platform.test.ts', 'is kept for the service'),
  tested(/^curl -fsSL \S+\/install\.sh \| sudo sh/, 'scripts/lab/install/install.e2e.test.ts', 'install.sh'),
  tested(/^sha256sum |^tar -xzf|^sudo sh install\.sh --from/, 'scripts/lab/install/platform.test.ts', "'--from'"),
  tested(
    /^(cd \/opt\/plimsoll|sudo (install|systemd-sysusers|systemctl)|journalctl -u plimsoll-dashboard)/,
    'scripts/lab/install/production.e2e.test.ts',
    "commandsOf('docs/production.md', 'systemd')",
  ),
  tested(
    /^sudo -u plimsoll-dashboard env/,
    'scripts/lab/install/production.e2e.test.ts',
    "commandsOf('docs/production.md', 'operator')",
  ),
  tested(/^npm run build$|^npm run build:agent$/, 'scripts/agent-build/agent-build.e2e.test.ts', 'build'),
  tested(/^npm run release -- key/, 'scripts/release/release.test.ts', 'writeKeyPair'),
  tested(/^npm run release -- verify/, 'scripts/release/release.test.ts', "run('verify'"),
  tested(/^npm run release -- local/, 'scripts/release/registry.publish.test.ts', 'registry'),
  tested(/^sudo plimsoll check/, 'collector/src/cli/check.test.ts', 'plimsoll check'),
  tested(/^sudo plimsoll status/, 'collector/src/cli/status.test.ts', 'status'),
  tested(/^sudo plimsoll support-bundle/, 'collector/src/cli/support-bundle.test.ts', '--output'),
  tested(/^vmagent /, 'scripts/lab/senders/prometheus.senders.test.ts', 'vmagent'),
];

const FOREIGN: readonly Foreign[] = [
  { command: /^kind create cluster$/, reason: 'the test cluster is made with a configuration of its own' },
  { command: /^openssl rand/, reason: 'any passphrase does' },
  {
    command: /^docker compose/,
    reason:
      'no registry with the base images is reachable where the tests run; `npm run release -- lint` checks compose.yaml',
  },
  { command: /^(cosign|gh) /, reason: 'verifies what GitHub signs, which only GitHub can make' },
  {
    command: /^kubectl (explain|delete crd)|^kubectl .*get daemonsets/,
    reason: 'kubectl alone, on objects that the cluster tests make',
  },
  { command: /^journalctl -u plimsoll -n/, reason: 'journalctl alone' },
];

test('a document has commands in its blocks, joined over lines, without the words beside them', () => {
  const text =
    'Text\n\n    npm start -- backup A       while it runs\n    X=1 helm install a \\\n      --set b=c\n    remote_write:\n';
  expect(commandsOfBlocks('a.md', text).map(({ line, command }) => [line, command])).toEqual([
    [3, 'npm start -- backup A'],
    [4, 'X=1 helm install a --set b=c'],
  ]);
});

test.each([
  ['npm run bench:nothing', ['npm run bench:nothing']],
  ['node api/src/cli/nothing.ts', ['api/src/cli/nothing.ts']],
  ['helm upgrade a b --set backup.restor.file= --set backup.restore.file=', ['--set backup.restor.file']],
])('%s names what is not there', (command, missing) => {
  expect(missingNames(command)).toEqual(missing);
});

test('there are commands to look at', () => {
  expect(COMMANDS.length).toBeGreaterThan(60);
});

test.each(COMMANDS)('$document:$line $command', ({ command }) => {
  expect(missingNames(command)).toEqual([]);
  const by = TESTED.find((entry) => entry.command.test(command));
  const isForeign = FOREIGN.some((entry) => entry.command.test(command));
  expect(by !== undefined || isForeign, 'a test that runs it, or why none can').toBe(true);
  const proof = by ?? TESTED[0];
  expect(proof && read(proof.file).includes(proof.holds), `${String(proof?.file)} holds ${String(proof?.holds)}`).toBe(
    true,
  );
});

test('no entry of the table is left over', () => {
  const used = (entry: { command: RegExp }) => COMMANDS.some(({ command }) => entry.command.test(command));
  expect([...TESTED, ...FOREIGN].filter((entry) => !used(entry)).map((entry) => String(entry.command))).toEqual([]);
});
