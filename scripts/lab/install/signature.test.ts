import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { signatureOf, writeKeyPair } from '../../release/signature.ts';
import { withKey } from '../../release/stamp-key.ts';
import { pretend, type Pretence } from './pretend.ts';

const keys = mkdtempSync(join(tmpdir(), 'plimsoll-keys-'));
afterAll(() => rmSync(keys, { recursive: true }));
const key = (file: string) => readFileSync(join(keys, file), 'utf8');
for (const name of ['ours', 'strange']) writeKeyPair(join(keys, name));

const URL = 'https://plimsoll.example.com';
const shells = ['/bin/sh', '/bin/bash', '/bin/busybox'].filter((shell) => shell === '/bin/sh' || existsSync(shell));

let made: Pretence | null = null;
afterEach(() => {
  made?.remove();
  made = null;
});

/** Copies what the dashboard serves: the last word of a call is the address, the one before the file. */
const curl = (served: string) =>
  `for word; do file=$last last=$word; done; cp "${served}/$(basename "$last")" "$file" 2>/dev/null || exit 22`;

/** Returns a machine whose install.sh is that of a release. `served`: the folder of its dashboard. */
function ofRelease(shell = '/bin/sh', served = '/nowhere'): Pretence {
  const commands = { useradd: ':', curl: curl(served) };
  made = pretend({ system: 'Linux', machine: 'x86_64', files: ['/lib64/ld-linux-x86-64.so.2'], commands }, shell);
  for (const name of ['install.sh', 'functions.sh'])
    writeFileSync(made.path(name), withKey(made.read(name), key('ours.pub')));
  return made;
}

const sign = (kit: string, by: string) =>
  writeFileSync(`${kit}.sha256.sig`, signatureOf(readFileSync(`${kit}.sha256`), key(by)));
const install = (machine: Pretence, kit: string, ...more: string[]) =>
  machine.install('--url', URL, '--token', 't', '--from', kit, ...more);
const isInstalled = (machine: Pretence) => machine.exists('/usr/local/bin/plimsoll');

describe.each(shells)('with %s', (shell) => {
  test('a kit that the release signed is installed', async () => {
    const machine = ofRelease(shell);
    const kit = await machine.kit('1.2.3', 'linux-x64');
    sign(kit, 'ours');
    expect(install(machine, kit)).toMatchObject({ status: 0 });
    expect(isInstalled(machine)).toBe(true);
  });

  test('a kit that another key signed is refused, and nothing is changed', async () => {
    const machine = ofRelease(shell);
    const kit = await machine.kit('1.2.3', 'linux-x64');
    sign(kit, 'strange');
    const { status, stderr } = install(machine, kit);
    expect(status).toBe(4);
    expect(stderr).toContain('the key of the releases did not sign 1.2.3 for linux-x64. Nothing was changed');
    expect(isInstalled(machine)).toBe(false);
  });
});

test('a kit that a dashboard serves needs the signature beside it', async () => {
  const served = join(keys, 'served');
  mkdirSync(served, { recursive: true });
  const machine = ofRelease('/bin/sh', served);
  const kit = await machine.kit('1.2.3', 'linux-x64');
  copyFileSync(kit, join(served, 'linux-x64'));
  copyFileSync(`${kit}.sha256`, join(served, 'linux-x64.sha256'));
  const download = () => machine.install('--url', URL, '--token', 't');

  const unsigned = download();
  expect(unsigned.status).toBe(4);
  expect(unsigned.stderr).toContain(`${URL} has no signature for 1.2.3: its kits are not those of the release`);
  expect(isInstalled(machine)).toBe(false);

  sign(kit, 'ours');
  copyFileSync(`${kit}.sha256.sig`, join(served, 'linux-x64.sig'));
  expect(download()).toMatchObject({ status: 0 });
  expect(machine.calls().some((call) => call.endsWith(`${URL}/agent/1.2.3/linux-x64.sig`))).toBe(true);
  expect(isInstalled(machine)).toBe(true);
});

test('the signature of another kit is refused', async () => {
  const machine = ofRelease();
  const other = await machine.kit('1.2.2', 'linux-x64');
  sign(other, 'ours');
  const kit = await machine.kit('1.2.3', 'linux-x64');
  writeFileSync(`${kit}.sha256.sig`, readFileSync(`${other}.sha256.sig`));
  expect(install(machine, kit)).toMatchObject({ status: 4 });
  expect(isInstalled(machine)).toBe(false);
});

test.each(['', 'not base64 at all!', 'AAAA'])('%j is no signature', async (text) => {
  const machine = ofRelease();
  const kit = await machine.kit('1.2.3', 'linux-x64');
  writeFileSync(`${kit}.sha256.sig`, text);
  expect(install(machine, kit)).toMatchObject({ status: 4 });
});

test('a kit without a signature is refused unless its owner accepts that', async () => {
  const machine = ofRelease();
  const kit = await machine.kit('1.2.3', 'linux-x64');
  const { status, stderr } = install(machine, kit);
  expect(status).toBe(2);
  expect(stderr).toContain(`${kit}.sha256.sig is missing: copy it beside the kit`);
  expect(isInstalled(machine)).toBe(false);
  expect(install(machine, kit, '--allow-unsigned')).toMatchObject({ status: 0 });
});

test('without openssl nothing is installed, and the message says what to do', async () => {
  const machine = ofRelease();
  const kit = await machine.kit('1.2.3', 'linux-x64');
  sign(kit, 'ours');
  const missing = 'has() { [ "$1" != openssl ] && command -v "$1" >/dev/null 2>&1; }';
  const said = machine.evaluate(`${missing}; (main --url ${URL} --token t --from ${kit}) 2>&1 || echo "status $?"`);
  expect(said).toContain(
    'openssl is missing: it checks the signature of the release. Install it, or add --allow-unsigned',
  );
  expect(said).toMatch(/status 1$/);
  expect(isInstalled(machine)).toBe(false);
  expect(existsSync(join(dirname(kit), 'usr/local/lib/plimsoll'))).toBe(false);
});

test.each([
  ['1.2.3', '1.2.3', false],
  ['1.2.3', '1.10.0', true],
  ['1.10.0', '1.2.3', false],
  ['1.2.3-rc.1', '1.2.3', true],
  ['1.2.3', '1.2.3-rc.1', false],
  ['1.2.3', '', false],
])('%s older than %s: %s', (version, than, isOlder) => {
  for (const shell of shells) {
    made?.remove();
    expect(ofRelease(shell).evaluate(`if is_older '${version}' '${than}'; then echo true; else echo false; fi`)).toBe(
      String(isOlder),
    );
  }
});

test('an update to an older version of the release is refused unless its owner names it', async () => {
  const served = join(keys, 'older');
  mkdirSync(served, { recursive: true });
  const machine = ofRelease('/bin/sh', served);
  const running = await machine.kit('1.3.0', 'linux-x64');
  sign(running, 'ours');
  expect(install(machine, running)).toMatchObject({ status: 0 });
  const kit = await machine.kit('1.2.3', 'linux-x64');
  sign(kit, 'ours');
  for (const [from, to] of [
    ['', ''],
    ['.sha256', '.sha256'],
    ['.sha256.sig', '.sig'],
  ])
    copyFileSync(kit + String(from), join(served, `linux-x64${String(to)}`));

  const { status, stderr } = machine.install('--update');
  expect([status, stderr]).toEqual([4, expect.stringContaining('1.2.3 is older than 1.3.0, which runs')]);
  expect(machine.read('/usr/local/bin/plimsoll')).toContain('plimsoll 1.3.0');
  expect(machine.install('--update', '--version', '1.2.3').status).toBe(0);
  expect(machine.read('/usr/local/bin/plimsoll')).toContain('plimsoll 1.2.3');
});
