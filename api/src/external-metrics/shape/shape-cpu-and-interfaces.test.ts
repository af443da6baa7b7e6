/** Figures of machines of several systems, from the names of series to the parts of a report. */
import { describe, expect, test } from 'vitest';
import { otlpJson } from '../../testing/otlp.ts';
import { ReadingCollector } from '../collect-readings.ts';
import { Figures } from '../figures.ts';
import { collectHostMetrics, HOST_METRICS } from '../host-metrics.ts';
import { collectNodeExporter } from '../node-exporter.ts';
import { readOtlpJson } from '../otlp-json.ts';
import { shapeReport } from './shape-report.ts';
import type { Value } from '../types.ts';

type Labels = Record<string, string>;
interface Sample {
  name: string;
  labels: Labels;
  before: number;
  now: number;
}
const MB = 1_000_000;
const START = 1_800_000_000_000;

const valuesAt = (samples: readonly Sample[], which: 'before' | 'now'): Value[] => {
  const at = which === 'now' ? START + 60_000 : START;
  const into = new ReadingCollector(at, 60);
  const series = samples.map(({ name, labels, ...values }) => ({
    labels: new Map(Object.entries({ __name__: name, job: 'node', instance: 'a:9100', ...labels })),
    samples: [{ value: values[which], at }],
  }));
  collectNodeExporter({ series, samples: series.length, unreadable: 0, histograms: 0, exemplars: 0 }, into);
  return into.finish().readings.flatMap(({ values }) => values);
};

const partsOf = (samples: readonly Sample[]) => {
  const figures = new Figures(valuesAt(samples, 'now'), valuesAt(samples, 'before'), []);
  return shapeReport(figures, { agent: 'prometheus', identity: 'a', name: 'a' })?.parts;
};

/** Bytes in MB/s by the name of the interface: [receive, transmit]. */
const traffic = (rates: Record<string, readonly [number, number]>): Sample[] =>
  Object.entries(rates).flatMap(([device, [receive, transmit]]) => [
    { name: 'node_network_receive_bytes_total', labels: { device }, before: 0, now: receive * 60 * MB },
    { name: 'node_network_transmit_bytes_total', labels: { device }, before: 0, now: transmit * 60 * MB },
  ]);
const fact = (name: string, labels: Labels, value = 1): Sample => ({ name, labels, before: value, now: value });
const uname = (sysname: string): Sample =>
  fact('node_uname_info', { nodename: 'a', sysname, release: '1', machine: 'x' });
const address = (device: string, mac: string): Sample => fact('node_network_info', { device, address: mac });
const lies = (device: string, index: number, below: number): Sample[] => [
  fact('node_network_iface_id', { device }, index),
  fact('node_network_iface_link', { device }, below),
];

const total = (samples: readonly Sample[]): [number, number] => {
  const interfaces = partsOf(samples)?.interfaces ?? [];
  const sum = (key: 'receive_bytes_per_second' | 'transmit_bytes_per_second'): number =>
    interfaces.reduce((all, one) => all + (one[key] ?? 0), 0) / MB;
  return [sum('receive_bytes_per_second'), sum('transmit_bytes_per_second')];
};

test('an interface whose driver does not detect a carrier is not called down', () => {
  const upOf = (operstate: string) => {
    const info = fact('node_network_info', { device: 'eth0', address: '00:16:3e:00:00:01', operstate });
    return partsOf([...traffic({ eth0: [1, 1] }), fact('node_network_up', { device: 'eth0' }, 0), info])?.interfaces;
  };
  expect([upOf('unknown')?.[0]?.up, upOf('down')?.[0]?.up]).toEqual([null, false]);
});

test('a sensor outdoors may freeze, and no other figure is below 0', () => {
  const sensor = { chip: 'w1', sensor: 'temp1' };
  const parts = partsOf([
    fact('node_hwmon_temp_celsius', sensor, -8.5),
    fact('node_thermal_zone_temp', { zone: '0', type: 'outdoor' }, -12),
    ...['node_load1', 'node_load5'].map((name) => fact(name, {}, 1)),
    fact('node_load15', {}, -1),
    ...traffic({ eth0: [1, 1] }),
  ]);
  expect(parts?.temperatures?.map(({ celsius }) => celsius)).toEqual([-8.5, -12]);
  expect(parts?.load).toBeUndefined();
});

test('a disk that was replaced has no rates, also of counters that are higher now', () => {
  const counter = (what: string, before: number, now: number): Sample => ({
    name: `node_disk_${what}_total`,
    labels: { device: 'sda' },
    before,
    now,
  });
  const disksOf = (reads: number) =>
    partsOf([counter('reads_completed', 1000, reads), counter('writes_completed', 100, 700)])?.disks;
  expect(disksOf(10)?.[0]).toMatchObject({ read_operations_per_second: null, write_operations_per_second: null });
  expect(disksOf(1060)?.[0]).toMatchObject({ read_operations_per_second: 1, write_operations_per_second: 10 });
});

describe('traffic of node_exporter', () => {
  test.each([
    [
      // henrygd/beszel#284
      'Proxmox',
      [
        ...traffic({
          enp5s0: [100, 50],
          vmbr0: [100, 50],
          fwbr101i0: [40, 0],
          fwpr101p0: [30, 60],
          fwln101i0: [60, 30],
          tap101i0: [30, 60],
          vmbr1: [0, 0],
        }),
      ],
      [100, 50],
    ],
    // prometheus/node_exporter#1926
    ['macOS', traffic({ en0: [10, 2], utun3: [10, 2], bridge100: [4, 4], vmenet0: [4, 4] }), [10, 2]],
    ['macOS that names its system', [uname('Darwin'), ...traffic({ en0: [10, 2], anything7: [10, 2] })], [10, 2]],
    [
      'FreeBSD',
      [uname('FreeBSD'), ...traffic({ igb0: [5, 1], lagg0: [5, 1], epair0a: [1, 1], 'igb0.7': [2, 1] })],
      [5, 1],
    ],
    ['Azure', traffic({ eth0: [100, 50], enP30832s1: [99.8, 49.9] }), [100, 50]],
    [
      'Azure with addresses',
      [
        ...traffic({ eth0: [1, 1], eth1: [9, 9], enP30832s1: [0.9, 1], enP9s2: [9, 9] }),
        ...['eth0', 'enP30832s1'].map((device) => address(device, '00:0d:3a:00:00:01')),
        ...['eth1', 'enP9s2'].map((device) => address(device, '00:0d:3a:00:00:02')),
      ],
      [10, 10],
    ],
    [
      'a NIC whose name looks like one of Azure',
      [...traffic({ eth0: [1, 1], enP2s1: [0.5, 0.5] }), address('eth0', 'a'), address('enP2s1', 'b')],
      [1.5, 1.5],
    ],
    ['a busy NIC beside an idle one', traffic({ eth0: [1, 1], enP2s1: [50, 50] }), [51, 51]],
    [
      'net_failover, whose ports have its address',
      [
        ...traffic({ ens3: [10, 5], ens3nsby: [0, 0], ens4: [9.9, 5] }),
        ...['ens3', 'ens3nsby', 'ens4'].map((device) => address(device, '52:54:00:00:00:01')),
      ],
      [10, 5],
    ],
    [
      'two idle interfaces of one address',
      [...traffic({ eth0: [0, 0], eth1: [0, 0] }), address('eth0', 'a1'), address('eth1', 'a1')],
      [0, 0],
    ],
    [
      'the ports of a bond, which have one address',
      [...traffic({ eth0: [10, 5], eth1: [4, 4], bond0: [14, 9] }), address('eth0', 'a1'), address('eth1', 'a1')],
      [14, 9],
    ],
    [
      'interfaces without an address',
      [
        ...traffic({ ib0: [10, 5], ib1: [4, 4] }),
        address('ib0', '00:00:00:00:00:00'),
        address('ib1', '00:00:00:00:00:00'),
      ],
      [14, 9],
    ],
    [
      'bonds with names of their owner',
      [...traffic({ eth0: [1, 1], eth4: [2, 2], dmz: [3, 3] }), fact('node_bonding_slaves', { master: 'dmz' }, 2)],
      [3, 3],
    ],
    [
      'a switch chip, whose ports lie on the NIC',
      [
        ...traffic({ eth0: [10, 10], lan1: [4, 4], wan: [6, 6], 'br-lan': [4, 4] }),
        ...lies('eth0', 2, 2),
        ...lies('lan1', 3, 2),
        ...lies('wan', 4, 2),
      ],
      [10, 10],
    ],
    [
      'a container whose pair has the index of another interface',
      [...traffic({ eth0: [1, 1], eth1: [2, 2] }), ...lies('eth0', 2, 3), ...lies('eth1', 3, 9)],
      [3, 3],
    ],
  ] as const)('%s', (_, samples, expected) => {
    expect(total(samples)).toEqual(expected);
  });

  test('has no rates of an interface of which a counter went back', () => {
    const [receive, transmit] = traffic({ eth0: [100, 50] });
    const samples = [{ ...receive, before: 2 ** 32, now: 5 }, transmit] as Sample[];
    expect(partsOf(samples)?.interfaces?.[0]).toMatchObject({
      receive_bytes_per_second: null,
      transmit_bytes_per_second: null,
    });
  });
});

describe('CPU of node_exporter', () => {
  const cpu = (seconds: Record<string, number>): Sample[] =>
    ['0', '1'].flatMap((number) =>
      Object.entries(seconds).map(([mode, now]) => ({
        name: 'node_cpu_seconds_total',
        labels: { cpu: number, mode },
        before: 0,
        now,
      })),
    );

  test.each([
    // prometheus/node_exporter#2839: a firewall spends its time in interrupts.
    ['FreeBSD', { user: 5, system: 5, interrupt: 20, nice: 0, idle: 30 }, { percent: 50, system: 41.7, wait: null }],
    [
      'OpenBSD',
      { user: 6, nice: 0, system: 6, spin: 6, interrupt: 12, idle: 30 },
      { percent: 50, system: 40, wait: null },
    ],
    ['Solaris', { user: 15, kernel: 15, wait: 0, idle: 30 }, { percent: 50, system: 25, wait: 0 }],
    ['macOS', { user: 15, nice: 0, system: 15, idle: 30 }, { percent: 50, system: 25, wait: null }],
    [
      'Linux',
      { user: 12, nice: 3, system: 6, irq: 3, softirq: 3, steal: 3, idle: 15, iowait: 15, guest: 12 },
      { percent: 50, system: 20, wait: 25 },
    ],
  ])('%s', (_, seconds, expected) => {
    const part = partsOf(cpu(seconds))?.cpu;
    expect({
      percent: part?.percent,
      system: Math.round((part?.system_percent ?? 0) * 10) / 10,
      wait: part?.io_wait_percent,
    }).toEqual(expected);
    expect(part?.per_core_percent).toEqual([50, 50]);
  });

  test('leaves out a mode of some CPUs only', () => {
    const odd = { name: 'node_cpu_seconds_total', labels: { cpu: '1', mode: 'odd' }, before: 0, now: 60 };
    expect(partsOf([...cpu({ user: 15, idle: 45 }), odd])?.cpu?.percent).toBe(25);
  });
});

describe('OpenTelemetry', () => {
  const parts = (os: string, interfaces: Record<string, number>, states: Record<string, number>) => {
    const point = (attributes: Labels, value: number) => ({ attributes, value, from: START, at: START + 60_000 });
    const metric = (name: string, points: ReturnType<typeof point>[]) => ({
      name,
      temporality: 'delta' as const,
      points,
    });
    const request = readOtlpJson(
      otlpJson([
        {
          attributes: { 'host.name': 'a', 'os.type': os },
          metrics: [
            metric(
              'system.network.io',
              Object.entries(interfaces).flatMap(([device, rate]) =>
                ['receive', 'transmit'].map((direction) => point({ device, direction }, rate * 60 * MB)),
              ),
            ),
            metric(
              'system.cpu.time',
              Object.entries(states).map(([state, seconds]) => point({ cpu: 'cpu0', state }, seconds)),
            ),
          ],
        },
      ]),
      HOST_METRICS,
    );
    const into = new ReadingCollector(START + 60_000, 60);
    collectHostMetrics(request, into);
    const [reading] = into.finish().readings;
    if (reading === undefined) throw new Error('no reading');
    return shapeReport(new Figures(reading.values, [], reading.growths), reading.source)?.parts;
  };

  test.each([
    ['windows', { Ethernet: 10, 'vEthernet (WSL)': 4, 'Loopback Pseudo-Interface 1': 3 }, ['Ethernet']],
    ['darwin', { en0: 10, utun3: 10, bridge100: 4, awdl0: 1 }, ['en0']],
    ['freebsd', { em0: 10, lagg0: 10, tap0: 4, lo0: 1 }, ['em0']],
    ['linux', { eth0: 10, vmbr0: 10, fwln101i0: 4, enP7s1: 9.9 }, ['eth0']],
  ])('counts the links of %s', (os, interfaces, expected) => {
    expect(parts(os, interfaces, { idle: 60 })?.interfaces?.map(({ name }) => name)).toEqual(expected);
  });

  test('counts interrupts of Windows once: the time of its kernel has them', () => {
    const cpu = parts('windows', { Ethernet: 1 }, { user: 10, system: 20, interrupt: 12, idle: 30 })?.cpu;
    expect([cpu?.percent, cpu?.system_percent?.toFixed(1)]).toEqual([50, '33.3']);
  });

  test('counts a state that is not listed as busy', () => {
    const cpu = parts('linux', { eth0: 1 }, { user: 15, kernel: 10, interrupt: 5, idle: 20, wait: 10 })?.cpu;
    expect([cpu?.percent, cpu?.io_wait_percent?.toFixed(1)]).toEqual([50, '16.7']);
  });
});
