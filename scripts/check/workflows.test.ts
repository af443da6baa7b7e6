import { load } from 'js-yaml';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODE_IMAGE } from '../cluster/machine-engine.ts';
import { IMAGES } from '../images/images.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string | number>;
  env?: Record<string, string>;
}
interface Job {
  'timeout-minutes'?: number;
  permissions?: Record<string, string>;
  environment?: string;
  needs?: string | string[];
  strategy?: { matrix: { kubernetes?: string[]; image?: string[] } };
  /** Another workflow instead of steps. */
  uses?: string;
  steps?: Step[];
}
interface Workflow {
  on: Record<string, { paths?: string[]; tags?: string[] } | null>;
  permissions: unknown;
  jobs: Record<string, Job>;
}
const files = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();
const workflow = (file: string) => load(read(file)) as Workflow;
const stepsOf = (file: string) => Object.values(workflow(file).jobs).flatMap(({ steps = [] }) => steps);

const RELEASE = '.github/workflows/release.yml';

test('the workflows are check, cluster and release', () => {
  expect(files).toEqual(['.github/workflows/check.yml', '.github/workflows/cluster.yml', RELEASE]);
});

test.each(files)('%s pins every action by the hash of its commit and names the version', (file) => {
  const uses = read(file).match(/^.*\buses: .*$/gm) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  for (const line of uses.filter((found) => !found.includes('uses: ./')))
    expect(line).toMatch(/uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

describe.each(files.filter((file) => file !== RELEASE))('%s', (file) => {
  const steps = stepsOf(file);
  const settings = (action: string) => steps.find(({ uses }) => uses?.startsWith(`actions/${action}@`))?.with ?? {};

  test('runs scripts of this package', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      const name = /^npm run (\S+)$/.exec(command)?.[1];
      const program = /^sudo .* (node scripts\/\S+\.mjs)$/.exec(command)?.[1];
      expect(name === undefined ? Object.values(scripts) : Object.keys(scripts)).toContain(name ?? program);
    }
  });

  test('runs on pull requests, with permission to read, a time limit and a Node that is new enough', () => {
    const { on, permissions, jobs } = workflow(file);
    expect(Object.keys(on)).toContain('pull_request');
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
    const [, oldest] = /OLDEST_NODE = (\d+)/.exec(read('scripts/bootstrap.mjs')) ?? [];
    expect(Number(settings('setup-node')['node-version'])).toBeGreaterThanOrEqual(Number(oldest));
  });
});

describe('release.yml', () => {
  const { on, permissions, jobs } = workflow(RELEASE);
  const text = read(RELEASE);

  test('runs on tags alone, and a job gets no right it does not name', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(permissions).toEqual({});
    const writers = Object.entries(jobs).filter(([, job]) => job.permissions?.['contents'] !== 'read');
    expect(writers.map(([name]) => name)).toEqual(['publish']);
    const endless = Object.entries(jobs).filter(([, job]) => job.uses === undefined && !job['timeout-minutes']);
    expect(endless).toEqual([]);
  });

  test('only the job that signs gets the key, and it installs nothing', () => {
    const withKey = Object.entries(jobs).filter(([, job]) =>
      JSON.stringify(job).includes('secrets.PLIMSOLL_SIGNING_KEY'),
    );
    expect(withKey.map(([name]) => name)).toEqual(['sign']);
    expect(jobs['sign']?.environment).toBe('release');
    for (const { run } of jobs['sign']?.steps ?? []) expect(run ?? '').not.toMatch(/\bnp[mx]\b/);
  });

  test('no step puts an expression into its commands, where a name of a branch could be code', () => {
    for (const { run } of stepsOf(RELEASE)) expect(run ?? '').not.toContain('${{');
  });

  test('nothing is published before the tests passed', () => {
    const before = (name: string): string[] => {
      const needs = [jobs[name]?.needs ?? []].flat();
      return [...needs, ...needs.flatMap(before)];
    };
    for (const name of ['images', 'chart', 'publish'])
      expect(before(name)).toEqual(expect.arrayContaining(['test', 'sign']));
  });

  test('builds every image, for both machines, and calls commands that exist', () => {
    const { image } = jobs['images']?.strategy?.matrix ?? {};
    expect(image?.toSorted()).toEqual(IMAGES.map(({ name }) => name).toSorted());
    expect(text).toContain('--platform linux/amd64,linux/arm64 --given-kits --push');
    const usage = read('scripts/release/main.ts');
    const commands = [...text.matchAll(/(?:run .*release --|release\/main\.ts) ([a-z-]+)/g)].map(([, name]) => name);
    expect(commands).toContain('push-chart');
    for (const name of commands) expect(usage).toMatch(new RegExp(`^  '?${name}'?: async`, 'm'));
  });
});

describe('check.yml', () => {
  test('runs on every pull request', () => {
    expect(workflow('.github/workflows/check.yml').on).toMatchObject({ pull_request: null });
  });

  test('runs npm run check and what npm test runs', () => {
    const commands = stepsOf('.github/workflows/check.yml').flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(['npm run check', expect.stringMatching(/ CI=true node scripts\/test\.mjs$/)]);
  });
});

describe('cluster.yml', () => {
  const { jobs, on } = workflow('.github/workflows/cluster.yml');

  test('sets only variables that the scripts read', () => {
    const code = globSync('scripts/cluster/*.ts', { cwd: root }).map(read).join('\n');
    const names = stepsOf('.github/workflows/cluster.yml').flatMap(({ env }) => Object.keys(env ?? {}));
    expect(names).toEqual(['PLIMSOLL_NODE_IMAGE']);
    for (const name of names) expect(code).toContain(`process.env.${name}`);
  });

  test('names paths that exist', () => {
    const paths = on.pull_request?.paths ?? [];
    expect(paths).not.toEqual([]);
    for (const path of paths)
      expect([path, ...globSync(path, { cwd: root, exclude: ['**/node_modules/**'] })]).not.toEqual([path]);
  });

  test('runs several Kubernetes versions, each once, and the default one', () => {
    const kubernetes = jobs.cluster?.strategy?.matrix.kubernetes ?? [];
    for (const version of kubernetes) expect(version).toMatch(/^v1\.\d+\.\d+$/);
    expect(new Set(kubernetes.map((version) => version.split('.')[1])).size).toBe(kubernetes.length);
    expect(kubernetes.length).toBeGreaterThanOrEqual(3);
    expect(kubernetes.map((version) => `docker.io/kindest/node:${version}`)).toContain(NODE_IMAGE);
  });
});
