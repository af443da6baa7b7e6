// Generates the Prisma client (git-ignored) when the schema is newer than the last one generated.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeSparse } from './lib/parameter-graph.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = `${root}api/src/database/generated`;
const stamp = `${output}/schema.sha256`;
const versionOf = (name) => JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8')).version;

const wanted = createHash('sha256')
  .update(readFileSync(`${root}prisma/schema.prisma`))
  .update(versionOf('prisma'))
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(readFileSync(`${root}scripts/lib/parameter-graph.ts`))
  .digest('hex');

/** Replaces the part of the generated client that `pattern` finds. `part` names it in the message of an unknown client. */
async function rewrite(part, pattern, replacement) {
  const file = `${output}/internal/class.ts`;
  const text = readFileSync(file, 'utf8');
  const found = pattern.exec(text);
  if (found === null) {
    process.stderr.write(`${file} has its ${part} in another form than scripts/generate.mjs knows\n`);
    process.exit(1);
  }
  const written = await replacement(...found.slice(1));
  writeFileSync(
    file,
    text.replace(found[0], () => written),
  );
}

const IMPORT =
  /const \{ wasm \} = await import\("(@prisma\/client\/runtime\/[^"]+\.wasm-base64\.mjs)"\)\n\s*return await decodeBase64AsWasm\(wasm\)/;
/**
 * Puts the query compiler into a file of its own. The generated client imports it as text, which then stays in memory
 * twice, as the source of a module and as its export: 4.6 MB.
 */
const storeCompiler = () =>
  rewrite('query compiler', IMPORT, async (module) => {
    const { wasm } = await import(module);
    writeFileSync(`${output}/internal/query-compiler.wasm`, Buffer.from(wasm, 'base64'));
    return `const { readFile } = await import('node:fs/promises')
    return new WebAssembly.Module(await readFile(new URL('./query-compiler.wasm', import.meta.url)))`;
  });

const GRAPH = /strings: JSON\.parse\(("(?:[^"\\]|\\.)*")\),\n\s*graph: "([\w-]+)"/;
/** Makes the client's graph of parameters smaller in memory. */
const storeGraph = () =>
  rewrite('graph of parameters', GRAPH, (strings, graph) => {
    const sparse = makeSparse({ strings: JSON.parse(JSON.parse(strings)), graph });
    return `strings: JSON.parse(${JSON.stringify(JSON.stringify(sparse.strings))}),\n  graph: "${sparse.graph}"`;
  });

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
  await storeCompiler();
  await storeGraph();
  writeFileSync(stamp, wanted);
  process.stdout.write(`generated the Prisma client in ${output.slice(root.length)}\n`);
}
