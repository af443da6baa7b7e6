import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { lanAddresses } from './lan-addresses.ts';

const ipv4 = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  netmask: '255.255.255.0',
  family: 'IPv4',
  mac: '00:00:00:00:00:00',
  internal,
  cidr: `${address}/24`,
});
const ipv6 = (address: string): NetworkInterfaceInfo => ({
  address,
  netmask: 'ffff:ffff:ffff:ffff::',
  family: 'IPv6',
  mac: '00:00:00:00:00:00',
  internal: false,
  cidr: `${address}/64`,
  scopeid: 0,
});

it('keeps what another machine may reach', () => {
  const interfaces = {
    lo: [ipv4('127.0.0.1', true)],
    eth0: [ipv4('192.168.1.10'), ipv6('fe80::1')],
    wlan0: [ipv4('10.0.0.7')],
    usb0: [ipv4('169.254.3.4')],
    docker0: [ipv4('172.17.0.1')],
    'br-1a2b': [ipv4('172.18.0.1')],
    gone: undefined,
  };
  expect(lanAddresses(interfaces)).toEqual(['192.168.1.10', '10.0.0.7']);
  expect(lanAddresses({ lo: [ipv4('127.0.0.1', true)] })).toEqual([]);
});
