import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/web-build.ts';
import { toolPath } from '../release/tools.ts';
import { checkImports } from './imports.ts';
import { checkMigrations } from './migrations.ts';
import { missingPaths } from './named-paths.ts';
import { findPlainLanguageViolations } from './plain-language.ts';
import { findUnexplainedSql } from './raw-sql.ts';
import { findRouteWrites } from './route-writes.ts';

/** The repository has more source files than this; fewer seen means the checker looked in the wrong place. */
const FEWEST_FILES = 60;

interface Outcome {
  name: string;
  ok: boolean;
  output: string;
  seconds: number;
}

const SHELL_SCRIPTS = [
  'scripts/install.sh',
  '.ci/run',
  'scripts/images/system-root.sh',
  'scripts/lab/airgap/own-engine/library-root.sh',
];

const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

function command(name: string, file: string, args: string[]): Promise<Outcome> {
  const started = Date.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    const done = (ok: boolean, extra = '') =>
      resolve({ name, ok, output: Buffer.concat(chunks).toString() + extra, seconds: (Date.now() - started) / 1000 });
    child.on('error', (error) => done(false, error.message));
    child.on('exit', (code) => done(code === 0));
  });
}

function imports(): Outcome {
  const started = Date.now();
  const { files, imports: count, violations } = checkImports(ROOT);
  const lines = violations.map((v) => `${v.file}:${String(v.line)} imports ${v.imported}: ${v.rule}`);
  if (files < FEWEST_FILES)
    lines.push(`only ${String(files)} source files seen, expected at least ${String(FEWEST_FILES)}`);
  lines.push(`${String(files)} files, ${String(count)} imports`);
  return { name: 'imports', ok: lines.length === 1, output: lines.join('\n'), seconds: (Date.now() - started) / 1000 };
}

function documents(): Outcome {
  const missing = missingPaths(ROOT);
  return { name: 'documents', ok: missing.length === 0, output: `no such file:\n${missing.join('\n')}`, seconds: 0 };
}

function routes(): Outcome {
  const writes = findRouteWrites(ROOT);
  return { name: 'routes write nothing', ok: writes.length === 0, output: writes.join('\n'), seconds: 0 };
}

function sql(): Outcome {
  const unexplained = findUnexplainedSql(ROOT);
  return { name: 'SQL says why', ok: unexplained.length === 0, output: unexplained.join('\n'), seconds: 0 };
}

function migrations(): Outcome {
  const problems = checkMigrations(ROOT);
  return { name: 'migrations', ok: problems.length === 0, output: problems.join('\n'), seconds: 0 };
}

function language(): Outcome {
  const started = Date.now();
  const violations = findPlainLanguageViolations(ROOT);
  const seconds = (Date.now() - started) / 1000;
  return { name: 'language', ok: violations.length === 0, output: violations.join('\n'), seconds };
}

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run check\nFormat, lint and types, import rules, routes that write, SQL without a reason, paths named in documents,\norder of migrations, plain language, shell scripts, workflows and compose.yaml (where their checkers are compiled), unused and undeclared files, exports and dependencies (knip).\nExit 0 clean, 1 something to mend.',
  );
} else {
  const programs = [
    command('format', bin('oxfmt'), ['--check']),
    // The compiler's own findings come with the lint: one reading of the types instead of three, with each file's
    // nearest tsconfig.json.
    command('lint and types', bin('oxlint'), ['--type-aware', '--type-check']),
    command('unused code', bin('knip'), ['--no-progress']),
    ...(existsSync('/usr/bin/shellcheck') && existsSync(join(ROOT, 'scripts/install.sh'))
      ? [command('shell', '/usr/bin/shellcheck', SHELL_SCRIPTS)]
      : []),
    // Both are compiled by `npm run release -- lint`, which needs Go.
    ...(existsSync(toolPath('actionlint')) ? [command('workflows', toolPath('actionlint'), ['-no-color'])] : []),
    ...(existsSync(toolPath('compose')) ? [command('compose', toolPath('compose'), ['compose.yaml'])] : []),
  ];
  // Read here while the programs run.
  const read = [imports(), routes(), sql(), documents(), migrations(), language()];
  const outcomes = [...read, ...(await Promise.all(programs))];
  for (const { name, ok, output, seconds } of outcomes) {
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`);
    if (!ok) console.log(output);
  }
  process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
}
