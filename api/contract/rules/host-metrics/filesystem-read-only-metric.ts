import { FILESYSTEMS, matchers, type HostMetric } from '../alert-metric.ts';
import { HOST_SCALES } from '../alert-metric-scales.ts';

/** A filesystem that was mounted for writing and refuses writes now, as after a disk error. */
export const FILESYSTEM_READ_ONLY = {
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
} as const satisfies HostMetric;
