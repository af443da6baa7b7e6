import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pretend, type Pretence } from './pretend.ts';

let machine: Pretence;
let socket: string;
let close: () => Promise<void>;

/** A machine with the socket of a runtime, named in agent.conf because the usual places are those of this machine. */
beforeEach(async () => {
  machine = pretend({ system: 'Linux', machine: 'x86_64' }, '/bin/sh');
  socket = machine.path('/runtime.sock');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  close = () => new Promise((resolve) => server.close(() => resolve()));
  mkdirSync(machine.path('/etc/plimsoll'), { recursive: true });
  writeFileSync(machine.path('/etc/plimsoll/agent.conf'), `region = x\ncontainer_socket = ${socket}\n`);
});
afterEach(async () => {
  await close();
  machine.remove();
});

test('--with-containers finds the socket and its group, and the unit gets the group', () => {
  chmodSync(socket, 0o660);
  const said = machine.evaluate('os=linux; find_container_socket; echo "$container_socket"; write_containers_drop_in');
  const [found, ...dropIn] = said.split('\n');
  expect(found).toBe(socket);
  expect(dropIn.filter((line) => !line.startsWith('#'))).toEqual(['[Service]', 'SupplementaryGroups=root']);
});

test('a socket that its group may not use is refused before anything changes', () => {
  chmodSync(socket, 0o600);
  const { status, stderr } = machine.install(
    '--url',
    'https://plimsoll.example.com',
    '--token',
    't',
    '--with-containers',
  );
  expect([status, stderr]).toEqual([1, expect.stringContaining(`may not use ${socket}`)]);
  expect(machine.exists('/etc/plimsoll/enrolment-token')).toBe(false);
});

test('the setting goes with --without-containers, and the owner’s lines stay', () => {
  machine.evaluate('dry_run=no; remove_setting container_socket');
  expect(machine.read('/etc/plimsoll/agent.conf')).toBe('region = x\n');
});

test('macOS is refused', () => {
  machine.remove();
  machine = pretend({ system: 'Darwin', machine: 'arm64', commands: { sysctl: 'echo 1' } }, '/bin/sh');
  const { status, stderr } = machine.install(
    '--url',
    'https://plimsoll.example.com',
    '--token',
    't',
    '--with-containers',
  );
  expect([status, stderr]).toEqual([3, expect.stringContaining('Linux only')]);
});
