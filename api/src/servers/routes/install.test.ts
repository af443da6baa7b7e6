import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createApp } from '../../app.ts';
import { SecretBox, SEALING_KEY_BYTES } from '../../accounts/secret-encryption.ts';
import { loadConfig } from '../../config.ts';
import { createDeps } from '../../deps.ts';
import type { Storage } from '../../storage.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { builtKits, byVersion } from '../kits.ts';

const agentDir = mkdtempSync(join(tmpdir(), 'plimsoll-kits-'));
afterAll(() => rmSync(agentDir, { recursive: true }));
const chartFile = join(agentDir, 'chart.tgz');

function putKit(version: string, target: string): void {
  const kit = join(agentDir, version, `plimsoll-${version}-${target}.tar.gz`);
  mkdirSync(join(agentDir, version), { recursive: true });
  writeFileSync(kit, `kit ${version} ${target}`);
  if (version === '0.10.0') writeFileSync(`${kit}.sha256.sig`, `signature of ${version}\n`);
  writeFileSync(`${kit}.sha256`, `sum-of-${version}  plimsoll-${version}-${target}.tar.gz\n`);
}
putKit('0.9.0', 'linux-x64');
putKit('0.10.0', 'linux-x64');
putKit('0.10.0-rc.1', 'linux-x64');
putKit('0.9.0', 'darwin-arm64');
mkdirSync(join(agentDir, '99.0.0.backup'));
writeFileSync(join(agentDir, 'secret'), 'secret');

const app = createApp(
  createDeps({
    config: loadConfig(
      { PLIMSOLL_AGENT_DIR: agentDir, PLIMSOLL_CHART_FILE: chartFile, PLIMSOLL_WEB_DIR: '/nonexistent' },
      false,
    ),
    clock: { now: () => 0 },
    log: createLogger({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
    secretBox: new SecretBox(Buffer.alloc(SEALING_KEY_BYTES)),
    // These calls ask nothing of the database.
    storage: new Proxy({}, { get: () => ({}) }) as Storage,
  }),
);
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await app.request(path, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('the platforms with a kit are listed, others are not', async () => {
  expect(await builtKits(agentDir)).toEqual(['linux-x64', 'darwin-arm64']);
  expect(await builtKits('/nonexistent')).toEqual([]);
});

test('anyone gets the script, as a script', async () => {
  const { status, type, text } = await get('/install.sh');
  expect([status, type]).toEqual([200, 'text/x-shellscript; charset=utf-8']);
  expect(text).toMatch(/^#!\/bin\/sh\n[\s\S]*\nmain "\$@"; exit\n$/);
});

test('the chart is served once it is packaged; before that the answer says how', async () => {
  const missing = await get('/charts/plimsoll.tgz');
  expect(missing.status).toBe(404);
  expect(JSON.parse(missing.text)).toMatchObject({
    code: 'not_found',
    remedy: expect.stringContaining('npm run build'),
  });
  writeFileSync(chartFile, 'chart');
  expect(await get('/charts/plimsoll.tgz')).toEqual({ status: 200, type: 'application/gzip', text: 'chart' });
});

describe('/agent/VERSION/TARGET', () => {
  test('serves the kit of that version and its checksum', async () => {
    expect(await get('/agent/0.9.0/linux-x64')).toEqual({
      status: 200,
      type: 'application/gzip',
      text: 'kit 0.9.0 linux-x64',
    });
    expect((await get('/agent/0.9.0/linux-x64.sha256')).text).toBe('sum-of-0.9.0  plimsoll-0.9.0-linux-x64.tar.gz\n');
  });

  test('serves the signature of a checksum, and says what an unsigned kit means', async () => {
    expect(await get('/agent/0.10.0/linux-x64.sig')).toMatchObject({ status: 200, text: 'signature of 0.10.0\n' });
    const { status, text } = await get('/agent/0.9.0/linux-x64.sig');
    expect(status).toBe(404);
    expect(text).toContain('No signature of the collector for linux-x64 in version 0.9.0');
    expect(text).toContain('--allow-unsigned');
  });

  test('"latest" is the highest release that has the target', async () => {
    expect((await get('/agent/latest/linux-x64.sha256')).text).toContain('0.10.0-linux-x64');
    expect((await get('/agent/latest/darwin-arm64.sha256')).text).toContain('0.9.0-darwin-arm64');
  });

  test('a kit that is not there is 404 and says what to do', async () => {
    for (const path of ['/agent/0.9.0/linux-arm64', '/agent/1.0.0/linux-x64.sha256', '/agent/latest/linux-x64-musl']) {
      const { status, text } = await get(path);
      expect(status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ success: false, code: 'not_found' });
      expect(text).toContain('npm run build:agent');
    }
  });

  test.each([
    ['/agent/0.9.0/windows-x64', 400, 'linux-x64'],
    ['/agent/0.9.0/linux-x64.tar.gz', 400, 'linux-x64'],
    ['/agent/newest/linux-x64', 400, '1.2.3'],
    ['/agent/../secret', 404, 'Not found'],
    ['/agent/..%2f0.9.0/linux-x64', 400, '1.2.3'],
    ['/agent/0.9.0/..%2f..%2fsecret', 400, 'linux-x64'],
  ])('%s is refused', async (path, expected, names) => {
    const { status, text } = await get(path);
    expect(status).toBe(expected);
    expect(text).toContain(names);
  });

  test('a credential changes nothing', async () => {
    expect((await get('/agent/0.9.0/linux-x64', { authorization: 'Bearer nonsense' })).status).toBe(200);
  });
});

test('versions are compared by number, a pre-release stands before its release', () => {
  const versions = ['0.10.0', '0.9.0', '0.10.0-rc.2', '1.0.0', '0.10.0-rc.10', '0.9.12'];
  expect(versions.toSorted(byVersion)).toEqual(['0.9.0', '0.9.12', '0.10.0-rc.2', '0.10.0-rc.10', '0.10.0', '1.0.0']);
});
