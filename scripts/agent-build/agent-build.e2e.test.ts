import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../e2e/product.ts';
import { send, signIn, startApi } from '../lab/faults/api-process.ts';
import { ROOT } from '../lib/web-build.ts';
import { checkSignature, signAdHoc } from './code-signature.ts';
import { compile } from './compile.ts';
import { buildKit, kitName } from './kit.ts';
import { targets, targetsNamed } from './targets.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-agent-build-'));
afterAll(() => rmSync(folder, { recursive: true }));

const entry = join(ROOT, 'collector/src/main.ts');
const version = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
const build = { entry, version, out: join(folder, 'out') };
const quiet = (): void => {};
const host = `linux-${process.arch}`;
const kitOf = (target: string) => join(build.out, version, kitName(version, target));
const unpacked = (target: string) => join(folder, target);
const program = (target: string) => join(unpacked(target), 'plimsoll');

interface Listed {
  data: { servers: { architecture: string | null; status: string }[] };
}

/** Five foreign runtimes of 45 MB each come first, when the cache is cold. */
const BUILD_MS = 600_000;

beforeAll(async () => {
  for (const target of targets) {
    await buildKit(build, target, quiet);
    mkdirSync(unpacked(target.name));
    execFileSync('tar', ['-xzf', kitOf(target.name), '-C', unpacked(target.name)]);
  }
}, BUILD_MS);

test('every kit holds program, installer and units, and its checksum is what sha256sum -c takes', () => {
  for (const { name } of targets) {
    expect(
      execFileSync('tar', ['-tzf', kitOf(name)], { encoding: 'utf8' })
        .trim()
        .split('\n'),
    ).toEqual([
      'plimsoll',
      'install.sh',
      'plimsoll.service',
      'socket-owners.conf',
      'smart.conf',
      'gpu.conf',
      'zpool.conf',
      'journal.conf',
      'token-file.conf',
      'app.plimsoll.collector.plist',
      'plimsoll.openrc',
    ]);
    const sums = spawnSync('sha256sum', ['-c', `${kitName(version, name)}.sha256`], { cwd: join(build.out, version) });
    expect(sums.status).toBe(0);
  }
});

test('no download is larger than 55 MB', () => {
  for (const { name } of targets) expect(readFileSync(kitOf(name)).length).toBeLessThan(55e6);
});

test(
  'a second build gives the same checksums',
  async () => {
    const out = join(folder, 'again');
    for (const target of targets) await buildKit({ ...build, out }, target, quiet);
    const sums = (of: string) =>
      targets.map(({ name }) => readFileSync(join(of, version, `${kitName(version, name)}.sha256`), 'utf8'));
    expect(sums(out)).toEqual(sums(build.out));
  },
  BUILD_MS,
);

test("this machine's program runs", () => {
  expect(execFileSync(program(host), ['version'], { encoding: 'utf8' })).toBe(`plimsoll ${version}\n`);
});

test('the arm64 program runs on an emulated processor', () => {
  const args = ['-L', '/usr/aarch64-linux-gnu', program('linux-arm64'), 'version'];
  const env = { ...process.env, BUN_JSC_useJIT: '0' };
  expect(execFileSync('qemu-aarch64', args, { encoding: 'utf8', env })).toBe(`plimsoll ${version}\n`);
});

test('the arm64 program enrols on an emulated processor, and the API has its report', async () => {
  const token = join(folder, 'enrolment-token');
  const api = await startApi({ PLIMSOLL_LOCAL_ENROLMENT_FILE: token });
  const args = ['-L', '/usr/aarch64-linux-gnu', program('linux-arm64'), 'run'];
  const env = {
    ...process.env,
    BUN_JSC_useJIT: '0',
    PLIMSOLL_URL: api.url,
    PLIMSOLL_ENROLMENT_TOKEN_FILE: token,
    PLIMSOLL_STATE_DIR: join(folder, 'arm64-state'),
  };
  const emulated = spawn('qemu-aarch64', args, { stdio: 'ignore', env });
  try {
    const session = await signIn(api.url);
    const listed = async () => {
      const { data } = await send<Listed>('GET', `${api.url}/api/servers/list`, undefined, session);
      return data.servers.map(({ architecture, status }) => `${String(architecture)} ${status}`);
    };
    await until('its first report', async () => (await listed()).includes('arm64 active'));
    expect(await listed()).toEqual(['arm64 active']);
  } finally {
    emulated.kill('SIGKILL');
    await api.remove();
  }
});

test('the x64 program runs on a processor of 2008', () => {
  const args = ['-cpu', 'Nehalem', program('linux-x64'), 'version'];
  const env = { ...process.env, BUN_JSC_useJIT: '0' };
  expect(execFileSync('qemu-x86_64', args, { encoding: 'utf8', env })).toBe(`plimsoll ${version}\n`);
});

test('nothing in the folder it is started in is executed or read as settings', () => {
  const trap = join(folder, 'trap');
  mkdirSync(trap);
  writeFileSync(join(trap, 'bunfig.toml'), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(trap, 'preload.ts'), 'console.log("preloaded");\n');
  writeFileSync(join(trap, '.env'), 'PLIMSOLL_INTERVAL=nonsense\n');
  const { stdout, stderr } = spawnSync(program(host), ['once', '--print'], { cwd: trap, encoding: 'utf8' });
  expect(stdout).toMatch(/^\{/);
  expect(stdout + stderr).not.toMatch(/preloaded|nonsense/);
});

describe.each(['darwin-x64', 'darwin-arm64'])('%s', (name) => {
  test('every page has the hash its signature carries', () => {
    const { pages, stale } = checkSignature(readFileSync(program(name)));
    expect(stale).toEqual([]);
    expect(pages).toBeGreaterThan(20_000);
  });
});

test("our signatures are those of Bun's own signer, byte for byte, where it signs well", () => {
  const [target] = targetsNamed(['darwin-arm64']);
  const bySomeoneElse = compile(entry, target!, quiet, (file) => file);
  expect(checkSignature(bySomeoneElse).stale).toEqual([]);
  expect(signAdHoc(bySomeoneElse, 'a.out').equals(bySomeoneElse)).toBe(true);
});
