import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import type { Report } from '@plimsoll/contract/wire/report';
import type { DemoHost } from './fleet.ts';
import { noise, type Figures } from './figures.ts';

/** The hardware of the demo: a backup server with disks of its own, two servers with a GPU, and updates everywhere. */

const GIB = 2 ** 30;
const TIB = 2 ** 40;

type Parts = Partial<Pick<Report, 'raid' | 'pools' | 'updates' | 'fans' | 'power' | 'drives' | 'gpus'>>;

/** Machines of metal; the others are virtual and have no hardware to report. */
export const isMetal = ({ role }: DemoHost): boolean => role === 'backup';

/** Returns the parts of a report about the hardware. `at`: epoch seconds. */
export function hardwareParts(host: DemoHost, at: number, figures: Figures): Parts {
  return {
    ...(isMetal(host) && disksOf(host, at, figures)),
    ...(host.role === 'batch' && { gpus: [gpuOf(host, at, figures)] }),
    updates: updatesOf(host, at),
  };
}

const array = (name: string, level: string, size: number, disks: number): NonNullable<Report['raid']>[number] => ({
  name,
  level,
  state: 'clean',
  size_bytes: size,
  disks_required: disks,
  disks_active: disks,
  spares: 0,
  failed_disks: null,
  action: null,
  action_percent: null,
  action_seconds_left: null,
  mismatches: 0,
});

const drive = (device: string, model: string, celsius: number, at: number): NonNullable<Report['drives']>[number] => ({
  device,
  model,
  protocol: device.startsWith('nvme') ? 'nvme' : 'ata',
  passed: true,
  reason: null,
  celsius,
  power_on_hours: 31_240,
  wear_percent: device.startsWith('nvme') ? 11 : null,
  reallocated: 0,
  pending: 0,
  uncorrectable: 0,
  // Each is asked once an hour.
  read_at: at - (at % HOUR_SECONDS),
});

const DISK = 'TOSHIBA MG08ACA16TE';

function disksOf(host: DemoHost, at: number, figures: Figures): Parts {
  const warm = 35 + Math.round(noise(host.seed, Math.floor(at / HOUR_SECONDS)) * 4);
  return {
    raid: [
      { ...array('md0', 'raid1', 447 * GIB, 2) },
      { ...array('md1', 'raid5', 14 * TIB, 3), state: 'degraded', disks_active: 2, failed_disks: 'sdc1' },
    ],
    pools: [
      {
        name: 'vault',
        type: 'zfs',
        state: 'online',
        size_bytes: 29 * TIB,
        used_bytes: Math.round((figures.diskPercent / 100) * 29 * TIB),
        devices: null,
        devices_missing: null,
        errors: null,
        errors_at: null,
      },
    ],
    drives: [
      drive('nvme0n1', 'SAMSUNG MZVL2512HCJQ', warm + 4, at),
      drive('sda', DISK, warm, at),
      drive('sdb', DISK, warm + 1, at),
    ],
    fans: [1180, 1205, 4320].map((rpm, index) => ({
      chip: 'nct6779',
      label: `fan${String(index + 1)}`,
      rpm: rpm + Math.round(noise(host.seed + index, Math.floor(at / 60)) * 30),
      alarm: false,
    })),
    power: [
      {
        name: 'rack-3',
        kind: 'ups',
        model: 'Smart-UPS 1500',
        state: 'online',
        on_battery: false,
        charge_percent: 100,
        seconds_left: 44 * 60,
        health_percent: null,
        load_percent: 31,
        read_at: at - 20,
      },
    ],
  };
}

/** The jobs of a batch server run on its GPU as well. */
function gpuOf(host: DemoHost, at: number, { cpuPercent }: Figures): NonNullable<Report['gpus']>[number] {
  const use = Math.min(100, Math.round(cpuPercent * 1.6 + noise(host.seed + 77, Math.floor(at / 60)) * 8));
  return {
    id: '0000:00:1e.0',
    vendor: 'nvidia',
    name: 'NVIDIA A10G',
    use_percent: use,
    memory_used_bytes: Math.round((4 + use * 0.14) * GIB),
    memory_total_bytes: 24 * GIB,
    celsius: 34 + Math.round(use * 0.36),
    power_watts: 60 + use * 2.1,
    power_limit_watts: 300,
    processes: [
      { pid: 2417, name: 'python3', memory_bytes: Math.round((3 + use * 0.12) * GIB) },
      { pid: 2602, name: 'tritonserver', memory_bytes: Math.round((0.8 + use * 0.02) * GIB) },
    ],
  };
}

/** A fleet that updates itself in turn: most machines have nothing pending, some wait for a reboot. */
function updatesOf({ seed }: DemoHost, at: number): NonNullable<Report['updates']> {
  const isDue = seed % 4 === 3;
  return {
    pending: isDue ? 6 + (seed % 9) : 0,
    security: isDue ? 2 + (seed % 3) : 0,
    counted_by: 'update-notifier',
    checked_at: at - (at % (6 * HOUR_SECONDS)) - HOUR_SECONDS,
    reboot_required: seed % 7 === 4,
    reboot_reason: seed % 7 === 4 ? 'kernel 6.1.0-29-amd64 is installed, 6.1.0-28-amd64 runs' : null,
  };
}
