import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changedSinceMerge, deciding, reasonToRun } from './changed.ts';
import { capture } from './shell.ts';

let root: string;
const git = (...args: string[]) =>
  capture('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root });
function write(file: string, text = file): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
function commit(file: string, text?: string): void {
  write(file, text);
  git('add', '.');
  git('commit', '-qm', file);
}
function merge(branch: string, file: string): void {
  git('checkout', '-qb', branch);
  commit(file);
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', branch, branch);
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-changed-'));
  git('init', '-qb', 'main');
});
afterEach(() => rmSync(root, { recursive: true }));

test.each([
  'charts/plimsoll/templates/api/service.yaml',
  'api/Dockerfile',
  'collector/Dockerfile.dockerignore',
  'package-lock.json',
  'scripts/cluster.mjs',
  'scripts/airgap/tools/kind/go.sum',
  'collector/src/node/kubelet.ts',
  'prisma/migrations/20261120010000_kubernetes/migration.sql',
  'collector/src/kubernetes/pods.ts',
  'collector/src/cluster-settings.ts',
  'collector/src/send/spool.ts',
  'api/contract/kubernetes-limits.ts',
  'api/contract/cluster-node.ts',
  'api/contract/cluster-report.ts',
  'api/src/routes/kubernetes.ts',
  'api/src/storage/postgres/kubernetes/pods.ts',
  'web/src/pages/kubernetes-pods/page.tsx',
])('%s decides', (file) => {
  expect(deciding([file])).toEqual([file]);
});

test.each([
  'README.md',
  'web/src/pages/servers/page.tsx',
  'api/src/routes/servers.ts',
  'collector/src/host/cpu.ts',
  'docs/kubernetes.md',
  'scripts/check/main.ts',
])('%s does not', (file) => {
  expect(deciding([file])).toEqual([]);
});

test('without a merge everything counts as changed', () => {
  commit('charts/a.yaml');
  commit('README.md');
  expect(reasonToRun(root, undefined)).toBe('changed: charts/a.yaml');
});

test('after a merge only what came later', () => {
  commit('charts/a.yaml');
  merge('one', 'web/b.ts');
  commit('README.md');
  expect(changedSinceMerge(root)).toEqual(['README.md']);
  expect(reasonToRun(root, undefined)).toBeNull();
  commit('charts/a.yaml', 'changed');
  expect(reasonToRun(root, undefined)).toBe('changed: charts/a.yaml');
});

test('at a merge what it brought in', () => {
  commit('charts/a.yaml');
  merge('one', 'charts/b.yaml');
  expect(changedSinceMerge(root)).toEqual(['charts/b.yaml']);
});

test('at a merge of two branches at once, too', () => {
  commit('README.md');
  for (const [branch, file] of [
    ['one', 'charts/b.yaml'],
    ['two', 'LICENSE'],
  ] as const) {
    git('checkout', '-qb', branch, 'main');
    commit(file);
  }
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'both', 'one', 'two');
  expect(changedSinceMerge(root)).toEqual(['LICENSE', 'charts/b.yaml']);
});

test('what is not committed counts, and CI_FULL=1 forces', () => {
  commit('README.md');
  merge('one', 'LICENSE');
  commit('CONTRIBUTING.md');
  expect(reasonToRun(root, '1')).toBe('CI_FULL=1');
  expect(reasonToRun(root, '')).toBeNull();
  write('charts/new.yaml');
  expect(reasonToRun(root, undefined)).toBe('changed: charts/new.yaml');
});
