import { describe, expect, it } from 'vitest';
import { type FakeInterface, networkFiles, routeTable } from '../../testing/network-files.ts';
import { networkSource, parseNetDev, readBorder } from '../network.ts';

type Interfaces = Record<string, FakeInterface>;
const MB = 1_000_000;
const none = { receiveBytes: 0, transmitBytes: 0 };
const lo = { index: 1, type: 772, ...none };

const names = (interfaces: Interfaces, texts: Record<string, string> = {}, enclosed = false): string[] => {
  const files = networkFiles({ lo, ...interfaces }, texts);
  return [...readBorder(files, parseNetDev(files.text('proc/net/dev')), enclosed).keys()];
};

/** Reads a machine with the given counters 60 s after one with none. Returns the sums of the interfaces, MB/s. */
async function totals(interfaces: Interfaces, texts: Record<string, string> = {}): Promise<[number, number]> {
  const still = Object.fromEntries(Object.entries(interfaces).map(([name, one]) => [name, { ...one, ...none }]));
  let files = networkFiles({ lo, ...still }, texts);
  const source = networkSource({
    ...files,
    text: (path) => files.text(path),
  });
  await source.read({ ts: 0, up: 100 });
  files = networkFiles({ lo, ...interfaces }, texts);
  const { part } = await source.read({ ts: 60, up: 160 });
  const sum = (key: 'receive_bytes_per_second' | 'transmit_bytes_per_second'): number =>
    (part.interfaces ?? []).reduce((total, one) => total + (one[key] ?? 0), 0) / MB;
  return [sum('receive_bytes_per_second'), sum('transmit_bytes_per_second')];
}
const moved = (receive: number, transmit: number) => ({ receiveBytes: receive * MB, transmitBytes: transmit * MB });
/** Names given to the ends of pairs in this test. */
const pair = { kind: 'veth' } as const;

describe('the border of a machine', () => {
  // cloudfoundry/bosh-linux-stemcell-builder#443
  it('counts the interface of the hypervisor and not its virtual function on Azure', async () => {
    const azure = {
      eth0: { index: 2, device: 'vmbus-1', lowers: ['enP30832s1'], ...moved(6000, 3000) },
      enP30832s1: { index: 3, device: '0000:00:02.0', master: 'eth0', uppers: ['eth0'], ...moved(5990, 2995) },
    };
    expect(await totals(azure)).toEqual([100, 50]);
  });

  it('counts net_failover once', () => {
    const failover = {
      ens3: { index: 2, device: 'virtio0', lowers: ['ens3nsby', 'ens4'], ...none },
      ens3nsby: { index: 3, device: 'virtio0', master: 'ens3', uppers: ['ens3'], ...none },
      ens4: { index: 4, device: '0000:00:04.0', master: 'ens3', uppers: ['ens3'], ...none },
    };
    expect(names(failover)).toEqual(['ens3']);
  });

  it.each([
    ['DSA', { lowers: ['eth0'], kind: 'dsa', link: 2 }],
    ['DSA of a kernel that lists no lower interfaces', { kind: 'dsa', link: 2 }],
  ])('counts the NIC below the ports of a switch: %s', (_, port) => {
    const router = {
      eth0: { index: 2, device: '1e100000.ethernet', uppers: ['lan1', 'wan'], ...none },
      lan1: { index: 3, device: 'mdio-bus:1f', master: 'br-lan', ...port, ...none },
      wan: { index: 4, device: 'mdio-bus:1f', ...port, ...none },
      'br-lan': { index: 5, kind: 'bridge', entries: ['bridge'], lowers: ['lan1'], ...none },
    };
    expect(names(router)).toEqual(['eth0']);
  });

  it('finds the NICs below a switch whose ports lie on a bond', () => {
    const switched = {
      eth0: { index: 2, device: 'a', master: 'bond0', ...none },
      eth1: { index: 3, device: 'b', master: 'bond0', ...none },
      bond0: { index: 4, kind: 'bond', entries: ['bonding'], lowers: ['eth0', 'eth1'], ...none },
      lan1: { index: 5, device: 'c', kind: 'dsa', lowers: ['bond0'], link: 4, ...none },
    };
    expect(names(switched)).toEqual(['eth0', 'eth1']);
  });

  it('counts InfiniBand partitions beside their parent: each has counters of its own', () => {
    const fabric = {
      ib0: { index: 2, type: 32, device: '0000:81:00.0', ...none },
      'ib0.8001': { index: 3, link: 2, type: 32, device: '0000:81:00.0', ...none },
    };
    expect(names(fabric)).toEqual(['ib0', 'ib0.8001']);
  });

  it('counts neither representors, nor guests of Xen, nor monitors', () => {
    const host = {
      enp1s0f0np0: { index: 2, device: '0000:01:00.0', portName: 'p0', ...none },
      enp1s0f0npf0vf0: { index: 3, device: '0000:01:00.0', portName: 'pf0vf0', ...none },
      eth4: { index: 4, device: '0000:01:00.0', portName: 'c1pf0sf12', ...none },
      'vif1.0': { index: 5, device: 'vif-1-0', ...none },
      wlan0: { index: 6, device: 'phy0', kind: 'wlan', ...none },
      mon0: { index: 7, device: 'phy0', kind: 'wlan', type: 803, ...none },
    };
    expect(names(host)).toEqual(['enp1s0f0np0', 'wlan0']);
    expect(names({ eth0: { index: 2, device: 'vif-0', ...none } })).toEqual(['eth0']);
  });

  it('looks at links, whatever the interfaces are called', () => {
    const named = {
      veth0: { index: 2, device: '0000:00:03.0', master: 'eth0', ...none },
      eth0: { index: 3, kind: 'bridge', entries: ['bridge'], lowers: ['veth0', 'ens3'], ...none },
      ens3: { index: 4, link: 2, ...pair, master: 'eth0', entries: ['brport'], ...none },
      'eno1.5': { index: 5, link: 2, kind: 'vlan', lowers: ['veth0'], ...none },
      lan: { index: 6, type: 65_534, entries: ['tun_flags'], ...none },
    };
    expect(names(named)).toEqual(['veth0']);
  });
});

describe('PPP beside a NIC', () => {
  const both = {
    eth0: { index: 2, device: '0000:00:03.0', ...none },
    ppp0: { index: 3, type: 512, kind: 'ppp', ...none },
  };
  const routed = (table: string) => ({ 'proc/net/route': table });

  it('is counted where a modem on a serial line is the way out', () => {
    expect(names(both, routed(routeTable(['ppp0'], ['eth0'])))).toEqual(['eth0', 'ppp0']);
  });

  it.each([
    [
      'goes over Ethernet',
      {
        ...routed(routeTable(['ppp0'])),
        'proc/net/pppoe': 'Id       Address              Device\n00000001 00:11:22:33:44:55 eth0\n',
      },
    ],
    ['leads to a server behind the router of the NIC', routed(routeTable(['ppp0', 'eth0']))],
    ['is no way out', routed(routeTable([], ['ppp0']))],
  ])('is a tunnel where it %s', (_, texts) => {
    expect(names(both, texts)).toEqual(['eth0']);
  });
});

describe('the border of a container', () => {
  const docker = {
    eth0: { index: 2, link: 17, ...pair, ...moved(600, 300) },
    'br-5f1c2a9d3b77': {
      index: 3,
      kind: 'bridge',
      entries: ['bridge'],
      lowers: ['veth1a2b3c4', 'veth9f8e7d6'],
      ...moved(300, 600),
    },
    // The index of the other end is one of another namespace, and equals one of this.
    veth1a2b3c4: { index: 5, link: 2, ...pair, master: 'br-5f1c2a9d3b77', entries: ['brport'], ...moved(200, 400) },
    veth9f8e7d6: { index: 17, link: 2, ...pair, master: 'br-5f1c2a9d3b77', entries: ['brport'], ...moved(100, 200) },
  };

  it.each([
    ['with a default route', { 'proc/net/route': routeTable(['eth0'], ['eth0', 'br-5f1c2a9d3b77']) }],
    ['without a table of routes', {}],
  ])('counts the inner end of a pair, and nothing of Docker inside LXC, %s', async (_, texts) => {
    expect(await totals(docker, texts)).toEqual([10, 5]);
  });

  it('finds the default route of IPv6', () => {
    const ipv6 = `${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 fe80000000000000 00000400 00000001 00000000 00000003    net1\n`;
    const two = { cali1: { index: 3, link: 4, ...pair, ...none }, net1: { index: 2, link: 9, ...pair, ...none } };
    expect(names(two, { 'proc/net/ipv6_route': ipv6 })).toEqual(['net1']);
  });

  it('counts two networks, and no pair of a runtime inside', () => {
    const two = {
      eth0: { index: 2, link: 17, ...pair, ...none },
      eth1: { index: 3, link: 19, ...pair, ...none },
      cali12ab: { index: 4, link: 4444, ...pair, ...none },
      've-inner': { index: 6, link: 2, ...pair, ...none },
    };
    const texts = { 'proc/net/route': routeTable(['eth0'], ['eth0', 'eth1', 've-inner']) };
    expect(names(two, texts)).toEqual(['eth0', 'eth1']);
  });

  it('goes through a bridge, a bond and a VLAN to the end that leads out', () => {
    const nested = {
      eth0: { index: 2, link: 17, ...pair, master: 'bond0', ...none },
      bond0: { index: 3, kind: 'bond', entries: ['bonding', 'brport'], master: 'br0', lowers: ['eth0'], ...none },
      veth7: { index: 4, link: 2, ...pair, master: 'br0', entries: ['brport'], ...none },
      br0: { index: 5, kind: 'bridge', entries: ['bridge'], lowers: ['bond0', 'veth7'], ...none },
      'br0.7': { index: 6, link: 5, kind: 'vlan', lowers: ['br0'], ...none },
    };
    expect(names(nested, { 'proc/net/route': routeTable(['br0.7']) })).toEqual(['eth0']);
  });

  it('counts the pair and not the tunnel of the default route', () => {
    const vpn = {
      eth0: { index: 2, link: 17, ...pair, ...none },
      wg0: { index: 3, type: 65_534, kind: 'wireguard', ...none },
    };
    expect(names(vpn, { 'proc/net/route': routeTable(['wg0'], ['eth0']) })).toEqual(['eth0']);
  });

  it('counts the tap of a network stack in user space, venet of OpenVZ, and macvlan of Docker', () => {
    const routed = (name: string) => ({ 'proc/net/route': routeTable([name]) });
    expect(names({ tap0: { index: 2, entries: ['tun_flags'], ...none } }, routed('tap0'))).toEqual(['tap0']);
    expect(names({ venet0: { index: 2, type: 65_535, ...none } }, routed('venet0'))).toEqual(['venet0']);
    expect(names({ eth0: { index: 9, link: 2, kind: 'macvlan', ...none } }, routed('eth0'))).toEqual(['eth0']);
  });

  it('adds the pair of a container that a NIC was given to', () => {
    const both = {
      eth0: { index: 2, link: 17, ...pair, ...none },
      eth1: { index: 3, device: '0000:03:00.0', ...none },
    };
    const texts = { 'proc/net/route': routeTable(['eth0']) };
    expect(names(both, texts, true)).toEqual(['eth0', 'eth1']);
    expect(names(both, texts, false)).toEqual(['eth1']);
  });
});

describe('without sysfs', () => {
  it('goes by names', () => {
    const files = networkFiles({});
    const bare = { ...files, list: () => [] };
    const counters = parseNetDev(
      'lo: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\neth0: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\ntun0: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n',
    );
    expect([...readBorder(bare, counters, true).keys()]).toEqual(['eth0']);
  });
});
