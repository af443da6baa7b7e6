import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkImports } from './imports.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function tree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'plimsoll-imports-'));
  roots.push(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}
const check = (files: Record<string, string>) =>
  checkImports(tree(files)).violations.map(({ file, imported }) => `${file} ← ${imported}`);

test.each([
  // A pure rule: no I/O, no port, no verb.
  ['api/src/servers/fleet.ts', "import { Hono } from 'hono';"],
  ['api/src/servers/fleet.ts', "import { readFileSync } from 'node:fs';"],
  ['api/src/servers/fleet.ts', "const fs = await import('node:fs');"],
  ['api/src/servers/fleet.ts', "export { readFileSync } from 'node:fs';"],
  ['api/src/servers/fleet.ts', "import type { Servers } from './store.ts';"],
  ['api/src/servers/types.ts', "import { enrol } from './enrol.ts';"],
  // A port has types only.
  ['api/src/servers/store.ts', "import { statusOf } from './server-status.ts';"],
  ['api/src/servers/store.ts', "import type { Reports } from '../reports/store.ts';"],
  // An adapter: its own port, no other adapter, no verb.
  [
    'api/src/servers/postgres/servers.ts',
    "import { freezeLists } from '../../processes/postgres/process-snapshots.ts';",
  ],
  ['api/src/servers/postgres/servers.ts', "import type { Reports } from '../../reports/store.ts';"],
  ['api/src/servers/postgres/servers.ts', "import { route } from '../routes/servers.ts';"],
  ['api/src/alerts/postgres.ts', "import { enrol } from '../servers/enrol.ts';"],
  // A verb: no adapter, no route, no verb of a noun that is not listed.
  ['api/src/reports/accept-report.ts', "import { Hono } from 'hono';"],
  ['api/src/reports/accept-report.ts', "import { createReportStore } from './postgres/reports.ts';"],
  ['api/src/servers/enrol.ts', "import { acceptReport } from '../reports/accept-report.ts';"],
  // Jobs and routes: own verbs, no adapter.
  ['api/src/alerts/jobs.ts', "import { createAlertStateStore } from './postgres.ts';"],
  ['api/src/servers/routes/servers.ts', "import { PrismaClient } from '@prisma/client';"],
  ['api/src/servers/routes/servers.ts', "import { createPostgresStorage } from '../../postgres-storage.ts';"],
  ['api/src/servers/routes/servers.ts', "import { deps } from '../../deps.ts';"],
  ['api/src/servers/routes/servers.ts', "import { alertRoutes } from '../../alerts/routes.ts';"],
  // Rooms without a noun.
  ['api/src/http/validate.ts', "import type { Servers } from '../servers/store.ts';"],
  ['api/src/database/migrate.ts', "import { FLEET_STEPS } from '../series/fleet-steps.ts';"],
  ['api/src/jobs/scheduler.ts', "import { rollupJob } from '../series/jobs.ts';"],
  ['api/src/telemetry/logger.ts', "import { tokenType } from '../accounts/tokens.ts';"],
  ['api/src/telemetry/routes.ts', "import { statusOf } from '../servers/server-status.ts';"],
  ['api/src/tenancy/actor.ts', "import { enrol } from '../servers/enrol.ts';"],
  ['api/src/database/prune.ts', "import { enrol } from '../servers/enrol.ts';"],
  ['api/src/config.ts', "import { enrol } from './servers/enrol.ts';"],
  ['api/src/clock.ts', "import { loadConfig } from './config.ts';"],
  ['api/src/storage.ts', "import { enrol } from './servers/enrol.ts';"],
  ['api/src/main.ts', "import { PrismaClient } from '@prisma/client';"],
  ['api/src/shelves/types.ts', "import type { Servers } from '../servers/store.ts';"],
  ['api/contract/wire/servers.ts', "import { Hono } from 'hono';"],
  ['api/contract/rules/limits.ts', "import { z } from 'zod';"],
  ['collector/src/host/cpu.ts', "import { parse } from './memory.ts';"],
  ['collector/src/host/cpu.ts', "import { reportItem } from '@plimsoll/contract/wire/report';"],
  ['collector/src/host/tables/pid-stat.ts', "import { cpu } from '../cpu.ts';"],
  ['collector/src/runtime/files.ts', "import { cpu } from '../host/cpu.ts';"],
  ['collector/src/agent.ts', "import { reflector } from './kubernetes/reflector.ts';"],
  ['collector/src/send/client.ts', "import { KubeConfig } from '@kubernetes/client-node';"],
  ['web/src/pages/servers/page.tsx', "import { x } from '../dashboard/page.tsx';"],
  ['web/src/pages/servers/page.tsx', "import { x } from '../../../../api/src/clock.ts';"],
  ['web/src/pages/servers/page.tsx', "import { LineChart } from '@mui/x-charts/LineChart';"],
  ['web/src/components/chart/points/shape.ts', "import { useMemo } from 'react';"],
  ['web/src/components/chart/axes.tsx', "import { x } from '../../api/servers.ts';"],
  ['web/src/components/panel.tsx', "import { x } from '../api/servers.ts';"],
  ['web/src/components/panel.tsx', "import { x } from '../pages/servers/page.tsx';"],
  ['web/src/components/panel.tsx', "import { LineChart } from '@mui/x-charts/LineChart';"],
  ['web/src/api/servers.ts', "import { x } from '../components/panel.tsx';"],
  ['web/src/format/figures.ts', "import { serverAnswer } from '@plimsoll/contract/wire/servers';"],
  ['web/src/format/figures.ts', "import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';"],
  ['web/src/format/figures.ts', "import { x } from '../state/store.ts';"],
  ['web/src/time/age.ts', "import { x } from '../state/use-filters.ts';"],
  ['web/src/state/store.ts', "import { x } from '../api/servers.ts';"],
  ['web/src/router.ts', "import Button from '@mui/material/Button';"],
  ['web/src/app.tsx', "import { x } from '../../api/src/clock.ts';"],
  ['web/src/lib/figures.ts', "import { x } from './words.ts';"],
  ['somewhere/unknown.ts', ''],
])('a planted import in %s fails: %s', (file, text) => {
  const found = check({ [file]: text });
  // A file outside the rooms is not read at all: the lowest count of files (checked by `npm run check`) covers it.
  expect(found).toHaveLength(file.startsWith('somewhere') ? 0 : 1);
});

test('allowed imports pass, types where only types may come over', () => {
  expect(
    check({
      'api/src/servers/fleet.ts':
        "import type { Sample } from '../series/types.ts'; import { LOAD_LINES } from '@plimsoll/contract/rules/limits';",
      'api/src/servers/routes/servers.ts':
        "import type { Deps } from '../../deps.ts'; import type { Alerts } from '../../alerts/store.ts'; import { Hono } from 'hono';",
      'api/src/reports/accept-report.ts': "import { watch } from '../alerts/evaluate-batch.ts';",
      'collector/src/host/cpu.ts':
        "import type { CpuPart } from '@plimsoll/contract/wire/report'; import { rate } from './rate.ts'; import { exec } from '../runtime/exec.ts'; import { cpu } from './cpu.darwin.ts';",
      'web/src/pages/servers/page.tsx':
        "import { Card } from './card.tsx'; import { Panel } from '../../components/panel.tsx';",
    }),
  ).toEqual([]);
});

test('a cycle is named by its files', () => {
  const found = check({
    'web/src/format/a.ts': "import { b } from './b.ts'; export const a = b;",
    'web/src/format/b.ts': "import { a } from './a.ts'; export const b = a;",
  });
  expect(found).toEqual(['web/src/format/a.ts ← web/src/format/a.ts → web/src/format/b.ts → web/src/format/a.ts']);
});

test('a cycle of types alone is a cycle, too', () => {
  const found = check({
    'web/src/format/a.ts': "import type { B } from './b.ts'; export type A = B;",
    'web/src/format/b.ts': "import type { A } from './a.ts'; export type B = A;",
  });
  expect(found).toHaveLength(1);
});

test('the environment is read in config.ts only', () => {
  expect(
    check({
      'api/src/accounts/local.ts': 'export const x = process.env.HOME;',
      'api/src/config.ts': 'export const y = process.env.HOME;',
    }),
  ).toEqual(['api/src/accounts/local.ts ← process.env']);
});

test('a file that does not parse is an error, not a file without imports', () => {
  expect(() => check({ 'api/src/servers/x.ts': 'import {' })).toThrow('api/src/servers/x.ts');
});
