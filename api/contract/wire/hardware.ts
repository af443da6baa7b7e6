import { z } from 'zod';
import { REPORT_LIMITS } from '../rules/limits.ts';
import { count, measured, MOST } from './number-bounds.ts';

/**
 * Parts of a host report about its hardware. States are texts, so that a newer collector can name one that this server does
 * not have; null is unknown, with the reason in `agent.sources`.
 */
const text = z.string();
const share = measured(0, 100);
const measuredCount = measured(0, MOST.int32);
const celsius = measured(-273.15, MOST.celsius);
const bytesOrNull = measured(0, MOST.exact);

/** The use of a number that the kernel bounds. `max` null: it sets no limit. */
export const useOfLimit = z.object({ used: count, max: count.nullable() });
export type UseOfLimit = z.infer<typeof useOfLimit>;

/** A software RAID array of Linux (md). */
export const raidPart = z.object({
  /** "md0". */
  name: text,
  /** "raid1", "raid5"; "unknown" for an array that the kernel did not start. */
  level: text,
  /** "clean"; "degraded": a disk is missing; "rebuilding": a disk is being filled; "failed": data is lost; "inactive". */
  state: text,
  size_bytes: bytesOrNull,
  /** Disks that the array needs, and those that work. Null: the level has no redundancy. */
  disks_required: count.nullable(),
  disks_active: count.nullable(),
  spares: count,
  /** Names of the disks that failed, with commas between them. */
  failed_disks: text.nullable(),
  /** Work in progress: "recovery", "resync", "check", "reshape". */
  action: text.nullable(),
  action_percent: share,
  /** Seconds until the action ends, by the kernel's estimate. */
  action_seconds_left: measured(0, MOST.uptimeSeconds),
  /** Sectors that differed at the last check. */
  mismatches: count.nullable(),
});

/** A pool of ZFS, or a filesystem of btrfs with its devices. */
export const poolPart = z.object({
  name: text,
  /** "zfs" or "btrfs". */
  type: text,
  /** ZFS in lower case: "online", "degraded", "faulted", "suspended"; btrfs: "online", or "degraded" when a device is missing. Null: the agent does not say. */
  state: text.nullable(),
  size_bytes: bytesOrNull,
  used_bytes: bytesOrNull,
  /** Devices of a btrfs filesystem; null: unknown. */
  devices: count.nullable(),
  devices_missing: count.nullable(),
  /** Errors of reading, writing, flushing, checksums and generations that btrfs counted on its devices; null: unknown. */
  errors: count.nullable(),
  /** The devices with errors: "sdb: 3 read, 1 corruption". */
  errors_at: text.nullable(),
});

/** Updates of packages that the system itself counted, and whether it waits for a reboot. */
export const updatesPart = z.object({
  pending: measuredCount,
  security: measuredCount,
  /** Program that counted: "update-notifier", "pveupdate", "update-motd". */
  counted_by: text.nullable(),
  /** Epoch seconds: when the system last fetched its lists of packages, or counted. */
  checked_at: measured(0, MOST.epochSeconds),
  /** Null: nothing on the machine says so. */
  reboot_required: z.boolean().nullable(),
  reboot_reason: text.nullable(),
});

export const fanPart = z.object({
  chip: text,
  label: text,
  /** Turns a minute; 0 is a fan that stands still, or a connector without one. */
  rpm: z.number().nonnegative().max(MOST.int32),
  /** The chip reports that the fan is too slow; null: it does not watch it. */
  alarm: z.boolean().nullable(),
});

/** A battery of the machine, or a UPS. */
export const powerPart = z.object({
  name: text,
  /** "battery" or "ups". */
  kind: text,
  model: text.nullable(),
  /** In the words of its driver: "charging", "discharging", "full"; of apcupsd: "online", "onbatt lowbatt". */
  state: text,
  /** True: the machine runs on it now. */
  on_battery: z.boolean().nullable(),
  charge_percent: share,
  seconds_left: measured(0, MOST.uptimeSeconds),
  /** Full charge in per cent of the full charge when new. */
  health_percent: share,
  /** Load in per cent of what the UPS can deliver. */
  load_percent: measured(0, 1000),
  /** Epoch seconds of the file it comes from; null: it is of this report. */
  read_at: measured(0, MOST.epochSeconds),
});

/** A drive by its own account (SMART). */
export const drivePart = z.object({
  /** "sda", "nvme0n1". */
  device: text,
  model: text.nullable(),
  /** "ata", "nvme" or "scsi". */
  protocol: text,
  /** False: the drive expects to fail. */
  passed: z.boolean().nullable(),
  /** Why it did not pass. */
  reason: text.nullable(),
  celsius,
  power_on_hours: measuredCount,
  /** Share of the writes that the drive is made for; 100 and more is 100. */
  wear_percent: share,
  /** Sectors that the drive replaced, that wait for it, and errors that it could not correct. */
  reallocated: measured(0, MOST.exact),
  pending: measured(0, MOST.exact),
  uncorrectable: measured(0, MOST.exact),
  /** Epoch seconds of its answer. */
  read_at: measured(0, MOST.epochSeconds),
});

const watts = measured(0, 100_000);
export const gpuPart = z.object({
  /** Address on the bus: "0000:03:00.0". */
  id: text,
  /** "nvidia", "amd" or "intel". */
  vendor: text,
  name: text.nullable(),
  use_percent: share,
  memory_used_bytes: bytesOrNull,
  memory_total_bytes: bytesOrNull,
  celsius,
  power_watts: watts,
  power_limit_watts: watts,
  /** Processes that compute on it, the largest first. Absent: the driver does not list them, or the list was not read. */
  processes: z
    .array(z.object({ pid: count, name: text, memory_bytes: bytesOrNull }))
    .max(REPORT_LIMITS.processesOfGpu)
    .optional(),
});

export type DrivePart = z.infer<typeof drivePart>;
export type GpuPart = z.infer<typeof gpuPart>;
export type FanPart = z.infer<typeof fanPart>;
export type PowerPart = z.infer<typeof powerPart>;
export type UpdatesPart = z.infer<typeof updatesPart>;
export type RaidPart = z.infer<typeof raidPart>;
export type PoolPart = z.infer<typeof poolPart>;
