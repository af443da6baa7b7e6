import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { capture } from './shell.ts';
import { decides, hashOfLane, reasonToRun, recordGreenRun } from './verified.ts';

let root: string;
const git = (...args: string[]) => capture('git', args, { cwd: root });
function write(file: string, text = file): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-verified-'));
  git('init', '-qb', 'main');
  for (const file of ['scripts/cluster/main.ts', 'charts/a.yaml', 'api/Dockerfile', 'README.md']) write(file);
  git('add', '.');
});
afterEach(() => rmSync(root, { recursive: true }));

test.each([
  'charts/plimsoll/templates/api/service.yaml',
  'api/Dockerfile',
  'collector/Dockerfile.dockerignore',
  'package-lock.json',
  'scripts/cluster.mjs',
  'scripts/cluster/install.cluster.test.ts',
  'scripts/lab/airgap/tools/kind/go.sum',
  'scripts/release/registry.ts',
  'collector/src/node/kubelet.ts',
  'prisma/migrations/20261120010000_kubernetes/migration.sql',
  'collector/src/kubernetes/watch/pods.ts',
  'collector/src/kubernetes/settings.ts',
  'collector/src/send/spool.ts',
  'api/contract/rules/kubernetes-limits.ts',
  'api/contract/wire/cluster-node.ts',
  'api/contract/wire/cluster-report.ts',
  'api/src/kubernetes/routes/clusters.ts',
  'api/src/kubernetes/postgres/pods.ts',
  'web/src/pages/kubernetes-pods/page.tsx',
])('%s decides', (file) => {
  expect(decides(file)).toBe(true);
});

test.each([
  'README.md',
  'web/src/pages/servers/page.tsx',
  'api/src/servers/routes/servers.ts',
  'collector/src/host/cpu.ts',
  'docs/kubernetes.md',
  'charts/plimsoll/README.md',
  'charts/plimsoll/README.md.in',
  'scripts/check/main.ts',
  'scripts/cluster/verified',
  'scripts/cluster/verified.ts',
  'collector/src/kubernetes/watch/pods.test.ts',
  'api/src/kubernetes/routes/nodes-answers.pg.test.ts',
  'web/src/components/kubernetes/pod-row.browser.test.tsx',
])('%s does not', (file) => {
  expect(decides(file)).toBe(false);
});

test('without a recorded run the lane runs', () => {
  expect(reasonToRun(root, undefined)).toBe('no green run is recorded: scripts/cluster/verified does not exist');
});

test('after a green run the lane runs only with CI_FULL=1', () => {
  recordGreenRun(root, hashOfLane(root));
  git('add', '.');
  expect(reasonToRun(root, undefined)).toBeNull();
  expect(reasonToRun(root, '')).toBeNull();
  expect(reasonToRun(root, '1')).toBe('CI_FULL=1');
});

test.each([
  ['the content of a file', () => write('charts/a.yaml', 'changed')],
  ['the name of a file', () => void git('mv', 'charts/a.yaml', 'charts/b.yaml')],
  ['a new file', () => [write('charts/new.yaml', ''), git('add', '.')]],
  ['a deleted file', () => rmSync(join(root, 'charts/a.yaml'))],
  ['text that moves from one file to the next', () => [write('api/Dockerfile', ''), write('charts/a.yaml', 'x')]],
])('%s changes the hash', (_, change) => {
  recordGreenRun(root, hashOfLane(root));
  const before = hashOfLane(root);
  change();
  expect(hashOfLane(root)).not.toBe(before);
  expect(reasonToRun(root, undefined)).toMatch(
    /^its files changed since the last green run: their hash is \w{64}, .* holds \w{64}$/,
  );
});

test('a new time, an untracked file and a file of no weight change nothing', () => {
  const before = hashOfLane(root);
  utimesSync(join(root, 'charts/a.yaml'), 1, 1);
  write('charts/untracked.yaml');
  write('README.md', 'changed');
  git('add', 'README.md');
  expect(hashOfLane(root)).toBe(before);
});
