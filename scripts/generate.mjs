// Generates the Prisma client (git-ignored) when the schema is newer than the last one generated.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = `${root}api/src/database/generated`;
const stamp = `${output}/schema.sha256`;
const versionOf = (name) => JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8')).version;

const wanted = createHash('sha256')
  .update(readFileSync(`${root}prisma/schema.prisma`))
  .update(versionOf('prisma'))
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex');

const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;

if (!isCurrent || process.argv.includes('--force')) {
  rmSync(output, { recursive: true, force: true });
  // The client needs no engine, and the CLI would fetch one at every command. false, never true: a migrate command run
  // by mistake must fail instead of doing nothing and exiting 0.
  const failing = existsSync('/bin/false') ? '/bin/false' : '/usr/bin/false';
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: failing, PRISMA_HIDE_UPDATE_MESSAGE: '1' };
  const run = spawnSync(process.execPath, [`${root}node_modules/prisma/build/index.js`, 'generate'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  if (run.status !== 0) {
    process.stderr.write(`${run.stdout}${run.stderr}prisma generate failed (exit ${run.status ?? run.signal})\n`);
    process.exit(1);
  }
  mkdirSync(output, { recursive: true });
  writeFileSync(stamp, wanted);
  process.stdout.write(`generated the Prisma client in ${output.slice(root.length)}\n`);
}
