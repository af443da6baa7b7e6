import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../lib/web-build.ts';
import type { Fault } from './fault.ts';

/** Tests that repeat what an attack of the first audit did. docs/reliability.md says which closes which hole. */
const TESTS = [
  'api/contract/redaction/corpus.test.ts',
  'api/src/accounts/oidc.test.ts',
  'api/src/accounts/external.test.ts',
  'api/src/accounts/routes/sign-in-flood.pg.test.ts',
  'api/src/accounts/routes/sign-in-limits.mock.pg.test.ts',
  'api/src/accounts/sign-in-work.mock.pg.test.ts',
  'api/src/database/embedded/folders.test.ts',
  'api/src/database/embedded/start-embedded.pg.test.ts',
  'api/src/http/bad-input.pg.test.ts',
  'api/src/http/client-address.test.ts',
  'api/src/http/listen.test.ts',
  'api/src/http/matrix.pg.test.ts',
  'api/src/http/parse-json.test.ts',
  'api/src/http/storage-unavailable.pg.test.ts',
  'api/src/live/routes.pg.test.ts',
  'api/src/reports/any-report.pg.test.ts',
  'api/src/reports/canary.pg.test.ts',
  'api/src/reports/read-thread.test.ts',
  'api/src/reports/redactor.test.ts',
  'api/src/reports/sanitize.test.ts',
  'api/src/series/postgres/set-aside.pg.test.ts',
  'collector/src/config.test.ts',
  'collector/src/host/bad-input.test.ts',
  'collector/src/host/processes.test.ts',
  'scripts/lab/install/platform.test.ts',
] as const;

const PROJECTS = ['unit', 'unit-isolated', 'postgres', 'postgres-mock'] as const;

interface VitestReport {
  numPassedTests: number;
  numTotalTests: number;
  testResults: { name: string }[];
}

/** Runs the tests that repeat the attacks. */
export const attacks: Fault = {
  name: 'attacks',
  does: 'the tests that repeat each attack of the audit, listed below',
  minutes: 5,
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-attacks-'));
    const report = join(folder, 'report.json');
    try {
      await new Promise<void>((resolve) => {
        const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
        const options = [
          ...PROJECTS.flatMap((name) => ['--project', name]),
          '--reporter=json',
          `--outputFile=${report}`,
        ];
        const child = spawn(process.execPath, [vitest, 'run', ...options, ...TESTS], { cwd: ROOT, stdio: 'ignore' });
        child.on('exit', () => resolve());
      });
      const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
      const absent = TESTS.filter((file) => !testResults.some(({ name }) => name.endsWith(file)));
      return {
        isHeld: numPassedTests === numTotalTests && absent.length === 0,
        figures: `${String(numPassedTests)} of ${String(numTotalTests)} tests passed in ${String(TESTS.length - absent.length)} of ${String(TESTS.length)} files`,
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
