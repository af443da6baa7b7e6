import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '../../collector/src/version.ts';
import { ROOT } from '../lib/web-build.ts';
import { buildKit } from './kit.ts';
import { targets, targetsNamed } from './targets.ts';

const USAGE = `Usage: npm run build:agent [-- OPTIONS]
Builds the collector into one file per platform, with its installer and units, and the SHA-256 sums.

  --target NAME    only this platform; may be repeated (${targets.map((target) => target.name).join(', ')})
  --out FOLDER     where the kits go, FOLDER/VERSION/… (default dist/agent)

Runtimes of foreign platforms are fetched with npm and kept in .cache/agent-build.
Exit 0 built, 1 failed, 2 wrong arguments.`;

/** The version of the product. Throws when the collector calls itself otherwise. */
function productVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  if (version !== VERSION)
    throw new Error(`package.json says ${version} and collector/src/version.ts ${VERSION}: make them one`);
  return version;
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', multiple: true },
      out: { type: 'string', default: join(ROOT, 'dist', 'agent') },
      help: { type: 'boolean', default: false },
    },
  });
  return { ...values, chosen: values.target ? targetsNamed(values.target) : targets };
}

async function main(): Promise<number> {
  let options: ReturnType<typeof readArguments>;
  try {
    options = readArguments();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const build = {
    entry: join(ROOT, 'collector/src/main.ts'),
    version: productVersion(),
    out: resolve(options.out),
  };
  for (const target of options.chosen) {
    const started = performance.now();
    const { file, sha256 } = await buildKit(build, target, (line) => console.error(`plimsoll: ${line}`));
    console.log(`${sha256}  ${file} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`plimsoll: ${(error as Error).message}`);
  process.exitCode = 1;
}
