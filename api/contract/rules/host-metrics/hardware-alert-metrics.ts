import type { PoolPart, RaidPart } from '../../wire/hardware.ts';
import type { Report } from '../../wire/report.ts';
import { CALM, matchers, type HostMetric, type Reading } from '../alert-metric.ts';
import { HOST_SCALES } from '../alert-metric-scales.ts';
import { LOAD_LINES } from '../limits.ts';
import { percentOf } from '../percent-of.ts';

/** Metrics of a host's hardware; docs/alert-rules.md gives the source of each default. */

/** A state that the machine reports. It is well when its list no longer names it. */
const state = {
  scope: 'host',
  lines: [{ level: 'critical', threshold: null }],
  // A reboot or a disk that is swapped passes.
  forSeconds: 300,
  keepFiringForSeconds: 0,
  hysteresisPoints: 0,
  isClearWhenAbsent: true,
} as const;

/** Every healthy machine has some of them some day, so the default rule is off. */
const update = {
  scope: 'host',
  // Most machines install them by themselves within a day.
  forSeconds: 86_400,
  keepFiringForSeconds: 0,
  hysteresisPoints: 0,
  isClearWhenAbsent: false,
  isOffByDefault: true,
  missingHistory: 'No history of updates is stored.',
} as const;

/** Returns a list of a report. A source that ran and sent no list has found none: its last array was taken apart. */
function listOf<T>(report: Report, name: string, list: T[] | undefined): T[] | null {
  if (list !== undefined) return list;
  return report.agent?.sources[name]?.ok === true ? [] : null;
}

const isArraySick = ({ state: now }: RaidPart): boolean => now !== 'clean';

function arrayDetail({ name, level, state: now, failed_disks: failed, ...array }: RaidPart): string {
  const { disks_active: active, disks_required: required } = array;
  const disks = active === null || required === null ? '' : ` with ${String(active)} of ${String(required)} disks`;
  const lost = failed === null ? '' : `. Failed: ${failed}`;
  if (now === 'inactive') return `${name} is not running. Its disks may be missing`;
  return `${name} (${level}) is ${now}${disks}${lost}`;
}

const poolName = ({ type, name }: PoolPart): string => `${type} ${name}`;

function poolDetail(pool: PoolPart): string {
  const missing = pool.devices_missing ?? 0;
  if (missing > 0) return `${String(missing)} of ${String(pool.devices)} devices of ${poolName(pool)} are missing`;
  return `${pool.type === 'zfs' ? 'ZFS' : pool.type} reports ${pool.name} as ${pool.state}`;
}

/** Its space stands in no list of filesystems: nothing of it is mounted, as where it holds disks of virtual machines. */
const isUnseen = ({ type, name }: PoolPart, { filesystems }: Report): boolean =>
  type === 'zfs' &&
  filesystems?.some((one) => one.type === 'zfs' && (one.device === name || one.device.startsWith(`${name}/`))) !== true;

export const HARDWARE_ALERT_METRICS = {
  raid_degraded: {
    ...state,
    ...HOST_SCALES.raid_degraded,
    ruleId: 'default-raid-degraded',
    ruleName: 'RAID degraded',
    title: 'RAID degraded',
    missingHistory: 'No history of RAID arrays is stored.',
    read: (report) =>
      listOf(report, 'raid', report.raid)
        ?.filter(isArraySick)
        .map((array): Reading => ({ subject: array.name, value: 1, detail: arrayDetail(array) })) ?? null,
    expression: (selectors) =>
      `node_md_disks_required${matchers(...selectors)} - ignoring (state) node_md_disks${matchers('state="active"', ...selectors)}`,
  },
  pool_degraded: {
    ...state,
    ...HOST_SCALES.pool_degraded,
    ruleId: 'default-pool-degraded',
    ruleName: 'Pool degraded',
    title: 'Pool degraded',
    missingHistory: 'No history of the states of pools is stored.',
    read: (report) =>
      listOf(report, 'pools', report.pools)
        ?.filter(({ state: is }) => is !== null && is !== 'online')
        .map((pool): Reading => ({ subject: poolName(pool), value: 1, detail: poolDetail(pool) })) ?? null,
    expression: (selectors) => `node_zfs_zpool_state${matchers('state!="online"', ...selectors)}`,
  },
  pool_errors: {
    ...state,
    ...HOST_SCALES.pool_errors,
    ruleId: 'default-pool-errors',
    ruleName: 'Pool has errors',
    title: 'Pool has errors',
    lines: [{ level: 'warning', threshold: null }],
    missingHistory: 'No history of the errors of pools is stored.',
    read: (report) =>
      listOf(report, 'pools', report.pools)
        ?.filter(({ errors }) => errors !== null && errors > 0)
        .map((pool): Reading => {
          const at = pool.errors_at === null ? '' : ` (${pool.errors_at})`;
          return {
            subject: poolName(pool),
            value: 1,
            detail: `btrfs counted ${String(pool.errors)} errors on the devices of ${pool.name}${at}. "btrfs device stats -z" resets the count`,
          };
        }) ?? null,
    expression: (selectors) => `node_btrfs_device_errors_total${matchers(...selectors)}`,
  },
  pool_usage: {
    ...CALM,
    ...HOST_SCALES.pool_usage,
    scope: 'host',
    ruleId: 'default-pool-usage',
    ruleName: 'Pool',
    lines: [
      { level: 'warning', threshold: LOAD_LINES.disk.warning },
      { level: 'critical', threshold: LOAD_LINES.disk.critical },
    ],
    isClearWhenAbsent: false,
    missingHistory: 'No history of pools without a mount is stored.',
    // The rule of disk usage watches every other pool.
    read: (report) =>
      report.pools
        ?.filter((pool) => isUnseen(pool, report))
        .flatMap((pool): Reading[] =>
          pool.size_bytes === null || pool.used_bytes === null
            ? []
            : [{ subject: poolName(pool), value: percentOf(pool.used_bytes, pool.size_bytes) }],
        ) ?? null,
    // The figures are those of zfs_exporter: node_exporter has no size of a pool.
    expression: (selectors) => {
      const labels = matchers(...selectors);
      return `100 * zfs_pool_allocated_bytes${labels} / zfs_pool_size_bytes${labels}`;
    },
  },
  drive_failing: {
    ...state,
    ...HOST_SCALES.drive_failing,
    ruleId: 'default-drive-failing',
    ruleName: 'Drive expects to fail',
    title: 'Drive expects to fail',
    missingHistory: 'No history of the health of drives is stored.',
    read: (report) =>
      listOf(report, 'smart', report.drives)
        ?.filter(({ passed }) => passed === false)
        .map(({ device, model, reason }): Reading => ({
          subject: device,
          value: 1,
          detail: `SMART of ${device}${model === null ? '' : ` (${model})`} says that it is about to fail${reason === null ? '' : `: ${reason}`}`,
        })) ?? null,
    // The figure is that of smartctl_exporter.
    expression: (selectors) => `1 - smartctl_device_smart_status${matchers(...selectors)}`,
  },
  gpu_temperature: {
    ...HOST_SCALES.gpu_temperature,
    scope: 'host',
    ruleId: 'default-gpu-temperature',
    ruleName: 'GPU temperature',
    lines: [{ level: 'warning', threshold: 90 }],
    forSeconds: 600,
    keepFiringForSeconds: 300,
    hysteresisPoints: 5,
    isClearWhenAbsent: false,
    missingHistory: 'No history of GPUs is stored.',
    read: ({ gpus }) =>
      gpus?.flatMap(({ id, name, celsius }): Reading[] =>
        celsius === null
          ? []
          : [
              {
                subject: id,
                value: Math.max(0, celsius),
                detail: `${name ?? 'The GPU'} (${id}) is at ${celsius.toFixed(0)} °C`,
              },
            ],
      ) ?? null,
    // The figure is that of dcgm-exporter.
    expression: (selectors) => `DCGM_FI_DEV_GPU_TEMP${matchers(...selectors)}`,
  },
  updates_pending: {
    ...update,
    ...HOST_SCALES.updates_pending,
    ruleId: 'default-updates-pending',
    ruleName: 'Pending updates',
    lines: [{ level: 'info', threshold: 1 }],
    read: ({ updates }) => [{ subject: '', value: updates?.pending ?? null }],
    // The figure is that of the textfile script apt.py.
    expression: (selectors) => `apt_upgrades_pending${matchers(...selectors)}`,
  },
  security_updates: {
    ...update,
    ...HOST_SCALES.security_updates,
    ruleId: 'default-security-updates',
    ruleName: 'Pending security updates',
    lines: [{ level: 'info', threshold: 1 }],
    read: ({ updates }) => [{ subject: '', value: updates?.security ?? null }],
    expression: (selectors) => `apt_upgrades_pending${matchers('origin=~".*[Ss]ecurity.*"', ...selectors)}`,
  },
  reboot_required: {
    ...update,
    ...HOST_SCALES.reboot_required,
    ruleId: 'default-reboot-required',
    ruleName: 'Reboot required',
    title: 'Reboot required',
    lines: [{ level: 'info', threshold: null }],
    read: ({ updates }) => {
      const required = updates?.reboot_required ?? null;
      if (required !== true) return [{ subject: '', value: required === null ? null : 0 }];
      const reason = updates?.reboot_reason ?? null;
      return [
        { subject: '', value: 1, detail: `The machine waits for a reboot${reason === null ? '' : `: ${reason}`}` },
      ];
    },
    expression: (selectors) => `node_reboot_required${matchers(...selectors)}`,
  },
} as const satisfies Record<string, HostMetric>;
