import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, buildWeb } from '../lib/web-build.ts';
import { withSeed } from './property-seed.ts';
import { type Totals, type VitestReport, readReport } from './report.ts';
import { bringTools, isDebianRoot, type Tool, tools } from './tools.ts';

/** The lanes and the projects of vitest.config.ts that each runs. */
const LANES: Readonly<Record<string, readonly string[]>> = {
  unit: ['unit', 'unit-isolated'],
  postgres: ['postgres', 'postgres-mock'],
  component: ['component'],
  e2e: ['e2e', 'e2e-alone'],
  senders: ['senders'],
};
/** Compiles a program of another project for minutes, so it runs only when somebody names it. */
const NAMED_ONLY = 'senders';
/** A program that a test starts is in no module graph. */
const WITHOUT_GRAPH = ['e2e', NAMED_ONLY];

const MARKS = { '.e2e.': 'e2e', '.pg.': 'postgres', '.browser.': 'component', '.senders.': 'senders' };
const laneOf = (file: string): string => Object.entries(MARKS).find(([mark]) => file.includes(mark))?.[1] ?? 'unit';

const usage = `Usage: npm test [-- options] [file filters]
Brings what the tests need (npm packages; as root on Debian also Debian packages), then runs every lane.
  --lane NAME      only this lane: ${Object.keys(LANES).join(', ')} (repeatable); without it, all but ${NAMED_ONLY}
  --changed        only tests that import a file with an uncommitted change
  --since REV      only tests that import a file changed since REV, committed or not
                   (both run no ${WITHOUT_GRAPH.join(', ')} unless --lane names it, and miss a file that a test reads without importing it)
  --no-install     do not install Debian packages
Skipped tests are named with the tool they miss; with CI=true a skip is a failure,
and what fails beside a browser or a database runs once more and is named if it passes then.
Exit 0 all passed, 1 something failed, 2 wrong options.`;

const say = (line: string) => void process.stderr.write(`plimsoll: ${line}\n`);

function runLane(lane: string, args: readonly string[], blocked: string[]): Promise<Totals> {
  const report = join(ROOT, '.cache', `test-${lane}.json`);
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const vitest = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...(LANES[lane] ?? []).flatMap((project) => ['--project', project]),
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, vitest, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...withSeed(process.env, ROOT), PLIMSOLL_TESTS_BLOCKED: blocked.join(',') },
    });
    child.on('exit', (code) => {
      try {
        const found = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
        resolve(readReport(found, lane, code, ROOT));
      } catch {
        const failure = `lane ${lane} wrote no report (vitest exit ${String(code)})`;
        resolve({ passed: 0, failed: 1, skipped: 0, failures: [failure], flaky: [] });
      }
    });
  });
}

/** Names each test file that cannot run here, its tool and the command that brings it. Returns the files. */
function nameSkips(missing: Tool[], lanes: readonly string[]): string[] {
  const blocked = missing.flatMap((tool) =>
    globSync(tool.needs, { cwd: ROOT, exclude: ['**/node_modules/**'] })
      .filter((file) => lanes.includes(laneOf(file)))
      .map((file) => {
        say(`skipped: ${file} needs ${tool.name}. It comes with: ${tool.remedy}`);
        return file;
      }),
  );
  return [...new Set(blocked)];
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      lane: { type: 'string', multiple: true },
      changed: { type: 'boolean' },
      since: { type: 'string' },
      'no-install': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const revision = values.since ?? (values.changed ? 'HEAD' : null);
  const unnamed = revision === null ? [NAMED_ONLY] : WITHOUT_GRAPH;
  const lanes = values.lane ?? Object.keys(LANES).filter((lane) => !unnamed.includes(lane));
  const unknown = lanes.find((lane) => !Object.hasOwn(LANES, lane));
  if (unknown) {
    console.error(`--lane ${unknown}: no such lane. Known: ${Object.keys(LANES).join(', ')}`);
    return 2;
  }

  const wanted = tools.filter(({ needs }) => needs.length === 0 || needs.some((file) => lanes.includes(laneOf(file))));
  let missing = wanted.filter((tool) => !tool.isPresent());
  if (missing.length > 0 && isDebianRoot() && !values['no-install']) {
    bringTools(missing, say);
    missing = wanted.filter((tool) => !tool.isPresent());
  }
  const blocked = nameSkips(missing, lanes);
  if (lanes.includes('e2e')) buildWeb(say);

  const totals = { passed: 0, failed: 0, skipped: blocked.length };
  const failures: string[] = [];
  const flaky: string[] = [];
  const seconds: string[] = [];
  for (const lane of lanes) {
    const started = Date.now();
    const changed = revision === null ? [] : ['--changed', revision];
    const result = await runLane(lane, [...changed, ...positionals], blocked);
    seconds.push(`${lane} ${((Date.now() - started) / 1000).toFixed(0)} s`);
    totals.passed += result.passed;
    totals.failed += result.failed;
    totals.skipped += result.skipped;
    failures.push(...result.failures);
    flaky.push(...result.flaky);
  }
  if (process.env.CI === 'true' && totals.skipped > 0) {
    say(`CI: ${String(totals.skipped)} skipped, which counts as failed here`);
    totals.failed += totals.skipped;
  }
  for (const test of flaky) console.log(`passed only when run again: ${test}`);
  for (const failure of failures) console.log(`failed: ${failure}`);
  console.log(`lanes: ${seconds.join(', ')}`);
  console.log(`${String(totals.passed)} passed, ${String(totals.failed)} failed, ${String(totals.skipped)} skipped`);
  // A change that no test imports is green; a run without a test is a mistake.
  const isEmpty = totals.passed === 0 && revision === null;
  return totals.failed > 0 || isEmpty ? 1 : 0;
}

process.exitCode = await main();
