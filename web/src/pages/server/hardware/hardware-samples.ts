import type { DrivePart, GpuPart, PoolPart, PowerPart, RaidPart, UpdatesPart } from '@plimsoll/contract/wire/hardware';
import type { Hardware } from '@plimsoll/contract/wire/servers';

/** Hardware that is well, one of each kind. */
const GB = 2 ** 30;

export const HARDWARE: Hardware = {
  raid: null,
  pools: null,
  updates: null,
  fans: null,
  power: null,
  drives: null,
  gpus: null,
};
export const ARRAY: RaidPart = {
  name: 'md0',
  level: 'raid1',
  state: 'clean',
  size_bytes: 447 * GB,
  disks_required: 2,
  disks_active: 2,
  spares: 0,
  failed_disks: null,
  action: null,
  action_percent: null,
  action_seconds_left: null,
  mismatches: 0,
};
export const POOL: PoolPart = {
  name: 'tank',
  type: 'zfs',
  state: 'online',
  size_bytes: 400 * GB,
  used_bytes: 100 * GB,
  devices: null,
  devices_missing: null,
  errors: null,
  errors_at: null,
};
export const DRIVE: DrivePart = {
  device: 'sda',
  model: 'TOSHIBA MG08ACA16TE',
  protocol: 'ata',
  passed: true,
  reason: null,
  celsius: 36,
  power_on_hours: 31_240,
  wear_percent: null,
  reallocated: 0,
  pending: 0,
  uncorrectable: 0,
  read_at: 1_795_000_000,
};
export const GPU: GpuPart = {
  id: '0000:00:1e.0',
  vendor: 'nvidia',
  name: 'NVIDIA A10G',
  use_percent: 62,
  memory_used_bytes: 9 * GB,
  memory_total_bytes: 24 * GB,
  celsius: 56,
  power_watts: 190,
  power_limit_watts: 300,
};
export const UPS: PowerPart = {
  name: 'nas-ups',
  kind: 'ups',
  model: 'Smart-UPS 1500',
  state: 'online',
  on_battery: false,
  charge_percent: 100,
  seconds_left: 2640,
  health_percent: null,
  load_percent: 31,
  read_at: 1_795_000_000,
};
export const UPDATES: UpdatesPart = {
  pending: 0,
  security: 0,
  counted_by: 'update-notifier',
  checked_at: 1_795_000_000,
  reboot_required: false,
  reboot_reason: null,
};
