import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FakeInterface, networkFiles, routeTable } from '../testing/network-files.ts';
import { parseNetDev, readBorder } from './network.ts';

/*
 * Random machines, built from what the kernel does and not from how the collector decides:
 * - A frame that enters or leaves by a NIC is counted by the NIC and by every interface above it on its way.
 * - A port of a bridge, bond, team or failover interface has one master; VLANs, macvlans and tunnels share a lower one.
 * - netvsc and net_failover have a device, and their counters include those of their virtual function.
 * - Ports of a switch chip (DSA) have a device, and each frame passes the NIC that the chip is wired to.
 * - A pair has its other end in another namespace; its index there may equal any index here.
 * - An interface of another namespace gets no link in sysfs.
 */

/** Random choices of one machine. */
interface Choices {
  isContainer: boolean;
  /** One number per step; what it chooses depends on the step. */
  steps: readonly number[];
  /** Bytes of each flow, and the choice of its end. */
  flows: readonly { end: number; receive: number; transmit: number; isInner: boolean }[];
  hidesLowers: boolean;
}

class RandomMachine {
  readonly interfaces = new Map<string, FakeInterface>();
  /** Interfaces that a frame passes from this one down to the border, itself included. */
  readonly paths = new Map<string, readonly string[]>();
  /** The border itself: one way per flow. */
  readonly truth = { receive: 0, transmit: 0 };
  /** Ends with an address, and whether their traffic leaves the machine. */
  readonly ends: string[] = [];
  readonly inner: string[] = [];
  #index = 1;
  #take: () => number;

  constructor(steps: readonly number[]) {
    let at = 0;
    this.#take = () => steps[at++ % steps.length] ?? 0;
    this.add('lo', { type: 772 }, null);
  }

  choose(below: number): number {
    return this.#take() % below;
  }

  /** `path`: below this interface; null when nothing that passes it leaves the machine. */
  add(name: string, facts: Partial<FakeInterface>, path: readonly string[] | null): string {
    const index = this.#index++;
    this.interfaces.set(name, { receiveBytes: 0, transmitBytes: 0, index, ...facts });
    this.paths.set(name, path === null ? [] : [name, ...path]);
    return name;
  }

  change(name: string, facts: Partial<FakeInterface>): void {
    const known = this.interfaces.get(name);
    if (known === undefined) return;
    const joined = { ...known, ...facts };
    for (const list of ['entries', 'uppers', 'lowers'] as const)
      if (facts[list] !== undefined) joined[list] = [...(known[list] ?? []), ...facts[list]];
    this.interfaces.set(name, joined);
  }

  pathOf(name: string): readonly string[] {
    return this.paths.get(name) ?? [];
  }

  indexOf(name: string): number {
    return this.interfaces.get(name)?.index ?? 0;
  }

  /** A frame from an interface down to the border. Every interface of the path counts it. */
  flow(end: string, receive: number, transmit: number): void {
    for (const name of this.pathOf(end)) this.count(name, receive, transmit);
    this.truth.receive += receive;
    this.truth.transmit += transmit;
  }

  count(name: string, receive: number, transmit: number): void {
    const one = this.interfaces.get(name);
    if (one === undefined) return;
    this.interfaces.set(name, {
      ...one,
      receiveBytes: one.receiveBytes + receive,
      transmitBytes: one.transmitBytes + transmit,
    });
  }
}

/** Adds one way out of a machine with hardware. Returns the interface that an owner may configure. */
function addNic(machine: RandomMachine, number: number): string[] {
  const name = ['eth', 'enp3s', 'lan', 'br', 'veth'][machine.choose(5)] + String(number);
  const kind = machine.choose(5);
  if (kind === 0) {
    const lower = `enP${number}s1`;
    machine.add(name, { device: `vmbus-${number}`, lowers: [lower] }, []);
    machine.add(lower, { device: `000${number}:00:02.0`, master: name, uppers: [name] }, null);
    // Frames of the synthetic interface come by the virtual function.
    machine.paths.set(name, [name, lower]);
    return [name];
  }
  if (kind === 1) {
    const ports = [`${name}nsby`, `vf${number}`];
    machine.add(name, { device: `virtio${number}`, lowers: ports }, []);
    for (const port of ports) machine.add(port, { device: `pci-${port}`, master: name, uppers: [name] }, null);
    machine.paths.set(name, [name, ports[machine.choose(2)] ?? '']);
    return [name];
  }
  machine.add(name, { device: `0000:0${number}:00.0`, ...(machine.choose(2) === 0 ? { portName: 'p0' } : {}) }, []);
  if (kind === 2) {
    const ports = [`lan${number}a`, `wan${number}`];
    machine.change(name, { uppers: ports });
    const facts = { device: 'mdio-bus:1f', kind: 'dsa', link: machine.indexOf(name), lowers: [name] };
    for (const port of ports) machine.add(port, facts, machine.pathOf(name));
    return ports;
  }
  return [name];
}

/** Adds the inner end of a pair whose other end is the host's. */
function addPair(machine: RandomMachine, number: number): string[] {
  const foreign = machine.choose(30) + 1;
  const name = machine.add(
    `eth${number}`,
    { kind: ['veth', 'macvlan', 'ipvlan', 'veth'][machine.choose(4)] ?? '' },
    [],
  );
  machine.change(name, { link: foreign === machine.indexOf(name) ? foreign + 50 : foreign });
  return [name];
}

/** Adds an interface above one or more of `free`, which may be configured; returns those that still may be. */
function addLayer(machine: RandomMachine, free: readonly string[], number: number, isContainer: boolean): string[] {
  const at = machine.choose(free.length);
  const lower = free[at] ?? '';
  const path = machine.pathOf(lower);
  const upper = `${['vlan', 'bond', 'x', 'br'][machine.choose(4)] ?? ''}u${number}`;
  const above = (facts: Partial<FakeInterface>): string[] => {
    machine.change(lower, { uppers: [upper] });
    machine.add(upper, { lowers: [lower], ...facts }, path);
    return [...free, upper];
  };
  const master = (facts: Partial<FakeInterface>, port: Partial<FakeInterface>): string[] => {
    // A port has no address of its own, and the master hides it.
    const rest = free.filter((name) => name !== lower);
    machine.change(lower, { master: upper, uppers: [upper], ...port });
    machine.add(upper, { lowers: [lower], ...facts }, path);
    return [...rest, upper];
  };
  switch (machine.choose(6)) {
    case 0:
      return master({ kind: 'bond', entries: ['bonding'] }, { entries: ['bonding_slave'] });
    case 1:
      return master({}, {});
    case 2: {
      const result = master({ kind: 'bridge', entries: ['bridge'] }, { entries: ['brport'] });
      for (let guest = 0; guest < machine.choose(3); guest += 1) addGuest(machine, upper, `${number}${guest}`, path);
      return result;
    }
    case 3:
      return above({ kind: 'vlan', link: machine.indexOf(lower) });
    case 4:
      return above({ kind: 'macvlan', link: machine.indexOf(lower) });
    default: {
      const tunnel = machine.choose(3);
      const facts = [
        { kind: 'wireguard', type: 65_534 },
        { kind: 'vxlan', link: machine.indexOf(lower) },
        { type: 768, link: isContainer ? 0 : machine.indexOf(lower) },
      ][tunnel];
      machine.add(upper, facts ?? {}, path);
      return free.slice();
    }
  }
}

/** A guest's port of a bridge: its frames go through the bridge, and out below it. */
function addGuest(machine: RandomMachine, bridge: string, id: string, path: readonly string[]): void {
  const isTap = machine.choose(2) === 0;
  const name = machine.add(
    isTap ? `tap${id}` : `veth${id}`,
    isTap ? { entries: ['tun_flags', 'brport'] } : { kind: 'veth', entries: ['brport'] },
    path,
  );
  if (!isTap) machine.change(name, { link: machine.choose(12) + 1 });
  machine.change(name, { master: bridge, uppers: [bridge] });
  machine.change(bridge, { lowers: [name] });
  machine.inner.push(name);
}

function build({ isContainer, steps, flows, hidesLowers }: Choices) {
  const machine = new RandomMachine(steps);
  let free: string[] = [];
  const ways = machine.choose(isContainer ? 2 : 3) + 1;
  for (let number = 0; number < ways; number += 1)
    free.push(...(isContainer ? addPair(machine, number) : addNic(machine, number)));
  const layers = machine.choose(5);
  for (let number = 0; number < layers; number += 1) free = addLayer(machine, free, number, isContainer);
  machine.add('dummy0', {}, null);
  machine.add('docker0', { kind: 'bridge', entries: ['bridge'] }, null);
  for (const { end, receive, transmit, isInner } of flows) {
    const ends = isInner && machine.inner.length > 0 ? machine.inner : free;
    machine.flow(ends[end % ends.length] ?? '', receive, transmit);
  }
  // Traffic between two containers, and over the loopback, stays inside.
  for (const name of ['lo', 'docker0', ...machine.inner])
    machine.count(name, machine.choose(1000), machine.choose(1000));
  const shown = [...machine.interfaces].map(([name, one]): [string, FakeInterface] =>
    hidesLowers && !isContainer ? [name, { ...one, lowers: [], uppers: [] }] : [name, one],
  );
  const texts = { 'proc/net/route': routeTable(free, free) };
  return { machine, files: networkFiles(Object.fromEntries(shown), texts) };
}

const choices = fc.record({
  isContainer: fc.boolean(),
  steps: fc.array(fc.nat(60), { minLength: 5, maxLength: 40 }),
  flows: fc.array(
    fc.record({
      end: fc.nat(50),
      receive: fc.nat(1_000_000),
      transmit: fc.nat(1_000_000),
      isInner: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
  hidesLowers: fc.boolean(),
});

it('counts every byte that crosses the border once, on any machine', () => {
  fc.assert(
    fc.property(choices, (chosen) => {
      const { machine, files } = build(chosen);
      const border = readBorder(files, parseNetDev(files.text('proc/net/dev')), chosen.isContainer);
      const counted = [...border.values()].reduce(
        (sum, one) => ({ receive: sum.receive + one.receiveBytes, transmit: sum.transmit + one.transmitBytes }),
        { receive: 0, transmit: 0 },
      );
      expect({ counted, by: [...border.keys()] }).toEqual({ counted: machine.truth, by: [...border.keys()] });
    }),
    { numRuns: 500 },
  );
});
