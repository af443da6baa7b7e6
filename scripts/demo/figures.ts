import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { type DemoHost, type DemoRole, REGION_HOURS } from './fleet.ts';
import { diskStory, IDLE_HOST, isReporting, memoryStory, spikeStory, type Stories } from './stories.ts';

/** Figures of one host at one moment, in the units of a report. */
export interface Figures {
  cpuPercent: number;
  ioWaitPercent: number;
  memoryPercent: number;
  diskPercent: number;
  operationsPerSecond: number;
  receiveBytesPerSecond: number;
  transmitBytesPerSecond: number;
  connections: number;
}

interface Shape {
  /** Per cent at night, and how much the working day adds. */
  cpu: [night: number, day: number];
  memory: number;
  disk: number;
  operations: number;
  /** MiB/s at noon. */
  traffic: number;
  ioWait: number;
}
const SHAPES: Record<DemoRole, Shape> = {
  web: { cpu: [12, 34], memory: 46, disk: 38, operations: 120, traffic: 14, ioWait: 0.4 },
  database: { cpu: [18, 30], memory: 68, disk: 61, operations: 2600, traffic: 22, ioWait: 2.2 },
  cache: { cpu: [8, 18], memory: 71, disk: 22, operations: 30, traffic: 40, ioWait: 0.1 },
  queue: { cpu: [14, 22], memory: 52, disk: 44, operations: 700, traffic: 9, ioWait: 0.9 },
  logs: { cpu: [16, 16], memory: 55, disk: 60, operations: 900, traffic: 18, ioWait: 1.8 },
  batch: { cpu: [24, 10], memory: 58, disk: 47, operations: 400, traffic: 3, ioWait: 0.8 },
  build: { cpu: [6, 52], memory: 41, disk: 66, operations: 300, traffic: 5, ioWait: 0.6 },
  backup: { cpu: [9, 4], memory: 33, disk: 72, operations: 260, traffic: 6, ioWait: 3.1 },
  edge: { cpu: [10, 20], memory: 48, disk: 57, operations: 40, traffic: 2, ioWait: 0.5 },
  node: { cpu: [26, 26], memory: 57, disk: 52, operations: 500, traffic: 17, ioWait: 0.7 },
};
const IDLE: Shape = { cpu: [1.4, 0.4], memory: 11, disk: 47, operations: 4, traffic: 0.01, ioWait: 0.1 };
const shapeOf = ({ name, role }: DemoHost): Shape => (name === IDLE_HOST ? IDLE : SHAPES[role]);
const MIB = 2 ** 20;

/** Returns a number from 0 to 1 that depends on both inputs only. */
export function noise(seed: number, step: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(step, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

/** Noise between knots of `seconds`, without jumps; from −1 to 1. */
function drift(seed: number, at: number, seconds: number): number {
  const knot = Math.floor(at / seconds);
  const part = at / seconds - knot;
  const smooth = part * part * (3 - 2 * part);
  return (noise(seed, knot) * (1 - smooth) + noise(seed, knot + 1) * smooth) * 2 - 1;
}

/** 0 in the night of the region, 1 at its busiest hour. */
const dayShare = (host: DemoHost, at: number): number =>
  Math.max(
    0,
    Math.sin((((at + (REGION_HOURS[host.region] ?? 0) * 3600) % DAY_SECONDS) / DAY_SECONDS - 0.29) * 2 * Math.PI),
  );

const bounded = (value: number, most = 100): number => Math.min(most, Math.max(0, value));

/** Returns the figures of a host at a moment (epoch seconds); null while it does not report. */
export function figuresAt(host: DemoHost, at: number, stories: Stories): Figures | null {
  if (!isReporting(host.name, at, stories)) return null;
  const { cpu, memory, disk, operations, traffic, ioWait } = shapeOf(host);
  const day = dayShare(host, at);
  const spike = spikeStory(host.name, at, stories);
  const slow = drift(host.seed, at, 3600);
  const quick = drift(host.seed + 1000, at, 300) + (noise(host.seed + 2000, Math.floor(at / 60)) - 0.5) * 0.8;
  const load = 1 + slow * 0.15 + quick * 0.08;
  const [night, more] = cpu;
  const busy = (0.25 + 0.75 * day) * load;
  return {
    cpuPercent: bounded(Math.max((night + more * day) * load + quick * 2, spike * 97 + quick)),
    ioWaitPercent: bounded(ioWait * load * (0.6 + 0.4 * day) + spike * 6, 60),
    memoryPercent: bounded(memoryStory(host.name, at, stories) ?? memory + slow * 2.5 + day * 3 + spike * 9),
    diskPercent: bounded(
      diskStory(host.name, at, stories) ?? disk + (host.seed % 7) + drift(host.seed + 3000, at, DAY_SECONDS * 4),
    ),
    operationsPerSecond: Math.max(0, operations * busy + spike * 4200),
    receiveBytesPerSecond: Math.max(0, traffic * MIB * busy * 0.7),
    transmitBytesPerSecond: Math.max(0, traffic * MIB * busy),
    connections: host.name === IDLE_HOST ? 1 : Math.round(Math.max(20, traffic * 45 * busy)),
  };
}
