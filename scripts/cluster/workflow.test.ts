import { load } from 'js-yaml';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { places } from '../airgap/cache.ts';
import { MINIMUM_GO } from '../airgap/compile.ts';
import { HOSTED_NODE_IMAGE } from '../airgap/engine.ts';
import { capture } from './shell.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string | number>;
  env?: Record<string, string>;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: unknown;
  jobs: { cluster: { strategy: { matrix: { kubernetes: string[] } }; steps: Step[] } };
}
const workflow = load(read('.github/workflows/cluster.yml')) as Workflow;
const { steps, strategy } = workflow.jobs.cluster;
const settings = (action: string) => steps.find(({ uses }) => uses?.startsWith(`actions/${action}@`))?.with ?? {};

test('every command is a script of this package, and the script knows its words', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = steps.flatMap(({ run }) => run?.split('\n') ?? []).filter(Boolean);
  expect(commands).not.toEqual([]);
  for (const command of commands) {
    const [, name = '', words = ''] = /^npm run (\S+) -- (.+)$/.exec(command) ?? [];
    expect(Object.keys(scripts)).toContain(name);
    const help = capture(process.execPath, [join(root, 'scripts/cluster/main.ts'), '--help']);
    for (const word of words.split(' ')) expect(help).toMatch(new RegExp(`^  ${word} `, 'm'));
  }
});

test('every variable it sets is one that the scripts read', () => {
  const code = globSync('scripts/{cluster,airgap}/*.ts', { cwd: root }).map(read).join('\n');
  const names = steps.flatMap(({ env }) => Object.keys(env ?? {}));
  expect(names.toSorted()).toEqual(['CI_FULL', 'PLIMSOLL_NODE_IMAGE']);
  for (const name of names) expect(code).toContain(`process.env.${name}`);
});

test('it sees the history that tells what changed, with permission to read and no more', () => {
  expect(settings('checkout')).toMatchObject({ 'fetch-depth': 0 });
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request', 'workflow_dispatch']);
});

test('its Node and its Go are new enough', () => {
  const [, oldest] = /OLDEST_NODE = (\d+)/.exec(read('scripts/bootstrap.mjs')) ?? [];
  expect(Number(settings('setup-node')['node-version'])).toBeGreaterThanOrEqual(Number(oldest));
  expect(settings('setup-go')['go-version']).toBe(MINIMUM_GO.join('.'));
  expect(globSync(String(settings('setup-go')['cache-dependency-path']), { cwd: root })).toHaveLength(
    globSync('scripts/airgap/tools/*/', { cwd: root }).length,
  );
});

test('what it keeps are the compiled tools, by the hash of what they are made of', () => {
  const { path, key } = settings('cache');
  const { bin } = places(join(import.meta.dirname, '../airgap'), { XDG_CACHE_HOME: '~/.cache' });
  expect(bin.startsWith(`${String(path)}/`)).toBe(true);
  const patterns = [...String(key).matchAll(/'([^']+)'/g)].map(([, pattern = '']) => pattern);
  expect(patterns).toEqual(['scripts/airgap/tools/*/go.sum', 'scripts/airgap/tools.ts']);
  for (const pattern of patterns) expect(globSync(pattern, { cwd: root })).not.toEqual([]);
});

test('several Kubernetes versions, each once, and the one that is used by default', () => {
  const { kubernetes } = strategy.matrix;
  for (const version of kubernetes) expect(version).toMatch(/^v1\.\d+\.\d+$/);
  expect(new Set(kubernetes.map((version) => version.split('.')[1])).size).toBe(kubernetes.length);
  expect(kubernetes.length).toBeGreaterThanOrEqual(3);
  expect(kubernetes.map((version) => `kindest/node:${version}`)).toContain(HOSTED_NODE_IMAGE);
});
