import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, makeDashboard } from './dashboard.ts';
import { makeKit, publish } from './kits.ts';
import { bootMachine, type Machine } from './machine.ts';

/** A machine whose units get no credentials: images for LXC, LXD and Incus write this file at each boot. */
const DROP_IN = '/run/systemd/system/service.d/zzz-lxc-service.conf';
const LXC = `[Service]
ProcSubset=all
ProtectProc=default
ProtectControlGroups=no
ProtectKernelTunables=no
NoNewPrivileges=no
LoadCredential=
PrivateNetwork=no
ImportCredential=
`;
const TOKEN_FILE = '/etc/plimsoll/enrolment-token';
const PROGRAM = '/usr/local/bin/plimsoll';

let machine: Machine;
let dashboard: Dashboard;
let token: string;
const install = (...words: string[]) =>
  machine.run('/bin/sh', '-c', `curl -fsSL ${dashboard.url}/install.sh | sh -s -- ${words.join(' ')}`);

beforeAll(async () => {
  machine = await bootMachine();
  dashboard = await makeDashboard(machine.hostAddress);
  await makeKit(dashboard.agentDir, '0.2.0', 'works');
  publish(dashboard.agentDir, '0.2.0');
  await dashboard.start();
  token = await dashboard.enrolmentToken();
  mkdirSync(machine.path('/etc/plimsoll'));
  writeFileSync(machine.path('/etc/plimsoll/agent.conf'), 'interval = 1\n');
  await machine.sh(`mkdir -p ${DROP_IN.replace(/\/[^/]+$/, '')}; cat >${DROP_IN} <<'EOT'\n${LXC}EOT`);
});
afterAll(async () => {
  // Undefined when the one before did not come up, which is then the error to see.
  await (dashboard as Dashboard | undefined)?.remove();
  await (machine as Machine | undefined)?.stop();
});

test('where a drop-in clears the credential, one line installs, and only the account reads the token', async () => {
  const { status, stderr } = await install('--url', dashboard.url, '--token', token, '--allow-http');
  expect(stderr).toContain(`the account plimsoll reads ${TOKEN_FILE} itself`);
  expect(stderr).toContain('0.2.0 is installed and reports as');
  expect(status).toBe(0);
  expect(await machine.sh(`stat -c "%a %U" ${TOKEN_FILE}`)).toBe('600 plimsoll\n');
  expect(await machine.sh(`journalctl -u plimsoll --no-pager`)).not.toContain('cannot be read');
});

test('run again, it stays so', async () => {
  const { status } = await install('--url', dashboard.url, '--non-interactive');
  expect(status).toBe(0);
  expect(await machine.sh(`stat -c "%a %U" ${TOKEN_FILE}`)).toBe('600 plimsoll\n');
});

test('a token that the service cannot read is named by check and by the log, with the remedy', async () => {
  await machine.sh(
    `systemctl stop plimsoll; rm /var/lib/plimsoll-collector/agent.json /etc/systemd/system/plimsoll.service.d/token-file.conf
     chown root ${TOKEN_FILE}; systemctl daemon-reload; systemctl start plimsoll || :`,
  );
  const check = await machine.run(PROGRAM, 'check');
  expect(check.status).toBe(1);
  expect(check.stdout).toContain(`${DROP_IN} clears LoadCredential=, so the service cannot read ${TOKEN_FILE}`);
  expect(check.stdout).toContain('Run the installer of the Setup page again');
  const log = await machine.sh('sleep 1; journalctl -u plimsoll -n 20 --no-pager -o cat');
  expect(log).toMatch(/cannot be read.*a drop-in may clear LoadCredential=\. Run the installer/);
});

test('an enrolled host reports without its token', async () => {
  const { status } = await install('--url', dashboard.url, '--token', token, '--allow-http');
  expect(status).toBe(0);
  await machine.sh(
    `rm /etc/systemd/system/plimsoll.service.d/token-file.conf; chown root ${TOKEN_FILE}
     systemctl daemon-reload; systemctl restart plimsoll`,
  );
  const since = (await machine.sh('sleep 3; date +%s')).trim();
  await machine.sh(
    `for i in $(seq 60); do ${PROGRAM} update --reported-since ${since} && exit 0; sleep 1; done; exit 1`,
  );
  expect(readFileSync(machine.path('/etc/plimsoll/agent.conf'), 'utf8')).toContain('interval = 1');
});
