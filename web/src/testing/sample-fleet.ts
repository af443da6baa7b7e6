import type { FleetServer } from './fleet.ts';
import type { HostSample } from './host-report.ts';

/** A repeatable wobble between −1 and 1, of a day's length and shorter. */
const wobble = (secondsAgo: number, seed: number) =>
  Math.sin(secondsAgo / 13_000 + seed) * 0.5 +
  Math.sin(secondsAgo / 1700 + seed * 3) * 0.3 +
  Math.sin(secondsAgo / 310 + seed * 7) * 0.2;

interface Load {
  cpu: number;
  memory: number;
  disk: number;
  /** Swing of the CPU in points. */
  swing?: number;
  rest?: Partial<HostSample>;
}

const DAY = 86_400;
const percent = (value: number) => Math.min(100, Math.max(0, value));

function machine(seed: number, hostname: string, region: string, load: Load): FleetServer {
  const swing = load.swing ?? 8;
  return {
    hostname,
    region,
    history: DAY,
    sample(secondsAgo) {
      const calm = Math.min(1, secondsAgo / 1200);
      const wave = wobble(secondsAgo, seed);
      return {
        cpu: percent(load.cpu + swing * wave * calm - (load.cpu > 80 ? 34 * calm : 0)),
        memory: percent(load.memory + 3 * wave * calm),
        disk: percent(load.disk - secondsAgo / 60_000),
        ioWait: Math.max(0, 1.5 + wave),
        operations: 1500 + 700 * wave,
        receive: (18 + 6 * wave) * 1_048_576,
        transmit: (8 + 3 * wobble(secondsAgo, seed + 1)) * 1_048_576,
        ...load.rest,
      };
    },
  };
}

const UBUNTU = { name: 'Ubuntu', version: '24.04' };

/** Fourteen machines at all distances from their lines, one silent: enough for every state of a screen. */
export const SAMPLE_FLEET: readonly FleetServer[] = [
  machine(1, 'build-hel-02', 'hel1', { cpu: 91.4, memory: 68, disk: 57.3, rest: { cores: 16, os: UBUNTU } }),
  machine(2, 'media-ams-01', 'eu-west-2', { cpu: 35, memory: 51, disk: 86, rest: { storageGb: 4096 } }),
  machine(3, 'db-fra-01', 'eu-central-1', { cpu: 46, memory: 83, disk: 71, rest: { cores: 16, memoryGb: 64 } }),
  machine(4, 'db-fra-02', 'eu-central-1', { cpu: 29, memory: 63, disk: 76, rest: { cores: 16, memoryGb: 64 } }),
  machine(5, 'cache-iad-01', 'us-east-1', { cpu: 22, memory: 72, disk: 19, rest: { cores: 4, os: UBUNTU } }),
  machine(6, 'web-fra-03', 'eu-central-1', { cpu: 67, memory: 55, disk: 42, rest: { os: UBUNTU } }),
  machine(7, 'mail-waw-01', 'eu-central-1', { cpu: 11, memory: 48, disk: 59, rest: { cores: 4, memoryGb: 8 } }),
  machine(8, 'web-fra-01', 'eu-central-1', { cpu: 54, memory: 49, disk: 41, rest: { os: UBUNTU } }),
  machine(9, 'web-iad-01', 'us-east-1', { cpu: 52, memory: 44, disk: 38, rest: { os: UBUNTU } }),
  machine(10, 'web-fra-02', 'eu-central-1', { cpu: 50, memory: 46, disk: 40, rest: { os: UBUNTU } }),
  machine(11, 'mac-ci-01', 'us-west-2', {
    cpu: 37,
    memory: 44,
    disk: 31,
    rest: { ioWait: null, platform: 'darwin', os: { name: 'macOS', version: '15.6' }, cores: 10, memoryGb: 24 },
  }),
  machine(12, 'edge-sao-01', 'sa-east-1', { cpu: 18, memory: 33, disk: 22, rest: { cores: 2, memoryGb: 4 } }),
  machine(13, 'edge-nrt-01', 'ap-northeast-1', { cpu: 24, memory: 30, disk: 25, rest: { cores: 2, memoryGb: 4 } }),
  {
    ...machine(14, 'web-sin-01', 'ap-southeast-1', { cpu: 63, memory: 58, disk: 48, rest: { os: UBUNTU } }),
    silentFor: 420,
  },
];
