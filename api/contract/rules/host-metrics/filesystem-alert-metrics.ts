import { CALM, FILESYSTEMS, type HostMetric, matchers, PER_HOST, twoLines, warningAt } from '../alert-metric.ts';
import { HOST_SCALES, type HostMetricName } from '../alert-metric-scales.ts';
import { LOAD_LINES, OTHER_LINES } from '../limits.ts';
import { percentOf } from '../percent-of.ts';
import { forecastReading } from './disk-forecast.ts';

/** Metrics of each filesystem of a host. */

export const FILESYSTEM_ALERT_METRICS = {
  disk_usage: {
    ...PER_HOST,
    ...CALM,
    ...HOST_SCALES.disk_usage,
    ruleId: 'default-disk',
    ruleName: 'Disk',
    lines: twoLines(LOAD_LINES.disk.warning, LOAD_LINES.disk.critical),
    read: ({ filesystems }) =>
      filesystems?.map((one) => ({
        subject: one.mount,
        value: percentOf(one.used_bytes, one.used_bytes + one.available_bytes),
      })) ?? null,
    expression: (selectors) => {
      const labels = matchers(FILESYSTEMS, ...selectors);
      const used = `(node_filesystem_size_bytes${labels} - node_filesystem_free_bytes${labels})`;
      return `100 * ${used} / (${used} + node_filesystem_avail_bytes${labels})`;
    },
  },
  disk_forecast: {
    ...PER_HOST,
    ...HOST_SCALES.disk_forecast,
    ruleId: 'default-disk-forecast',
    ruleName: 'Time until a disk reaches its line',
    title: 'Disk is filling up',
    lines: warningAt(4),
    forSeconds: 1800,
    keepFiringForSeconds: 3600,
    hysteresisPoints: 1,
    missingHistory: 'The stored history holds how full a disk was, not its forecast at each moment of the past.',
    read: ({ filesystems }, { forecast }) =>
      filesystems?.map(({ mount, used_bytes: usedBytes, available_bytes: available }) =>
        forecastReading(mount, forecast({ mount, usedBytes, capacityBytes: usedBytes + available })),
      ) ?? null,
    // Prometheus has no load line of a filesystem, so the default line is used.
    expression: (selectors) => {
      const labels = matchers(FILESYSTEMS, ...selectors);
      const used = `(node_filesystem_size_bytes${labels} - node_filesystem_free_bytes${labels})`;
      const line = `${String(LOAD_LINES.disk.warning / 100)} * (${used} + node_filesystem_avail_bytes${labels})`;
      return `clamp_min(${line} - ${used}, 0) / (-86400 * (deriv(node_filesystem_avail_bytes${labels}[1d]) < 0))`;
    },
  },
  inode_usage: {
    ...PER_HOST,
    ...CALM,
    ...HOST_SCALES.inode_usage,
    ruleId: 'default-inodes',
    ruleName: 'Inodes',
    lines: twoLines(OTHER_LINES.inodePercent, 98),
    missingHistory: 'No history of inodes is stored.',
    // Filesystems that make inodes on demand (btrfs, ZFS) have no total.
    read: ({ filesystems }) =>
      filesystems?.flatMap(({ mount, inodes_used: used, inodes_total: total }) =>
        used === null || total === null || total === 0 ? [] : [{ subject: mount, value: percentOf(used, total) }],
      ) ?? null,
    expression: (selectors) => {
      const labels = matchers(FILESYSTEMS, ...selectors);
      return `100 * (1 - node_filesystem_files_free${labels} / (node_filesystem_files${labels} > 0))`;
    },
  },
  /** Mounted for writing, but it refuses writes now, as after a disk error. */
  filesystem_read_only: {
    ...HOST_SCALES.filesystem_read_only,
    scope: 'host',
    ruleId: 'default-filesystem-read-only',
    ruleName: 'Filesystem became read-only',
    title: 'Filesystem became read-only',
    lines: [{ level: 'critical', threshold: null }],
    // An update may remount for a moment.
    forSeconds: 300,
    keepFiringForSeconds: 0,
    hysteresisPoints: 0,
    isClearWhenAbsent: true,
    missingHistory: 'No history of read-only filesystems is stored.',
    read: ({ filesystems }) =>
      filesystems
        ?.filter((one) => one.became_read_only === true)
        .map(({ mount }) => ({
          subject: mount,
          value: 1,
          detail: `${mount} refuses writes although it should be writable. The kernel log has the reason, often a disk error`,
        })) ?? null,
    // Prometheus does not have the reason. One that was writable within a day became read-only.
    expression: (selectors) => {
      const labels = matchers(FILESYSTEMS, ...selectors);
      return `node_filesystem_readonly${labels} > min_over_time(node_filesystem_readonly${labels}[1d])`;
    },
  },
} as const satisfies Partial<Record<HostMetricName, HostMetric>>;
