import type { KernelLimits } from '@plimsoll/contract/wire/servers';

export interface LimitRow {
  name: string;
  /** Null: not reported. */
  used: number | null;
  /** Null: there is no limit, or it is not reported. */
  max: number | null;
  percent: number | null;
  /** Name of the collector's source: it has the reason where nothing is reported. */
  source: string;
}

const LIMITS = [
  { name: 'Tracked connections', part: 'conntrack', source: 'conntrack' },
  { name: 'Open files', part: 'open_files', source: 'open-files' },
  { name: 'Outgoing ports', part: 'ephemeral_ports', source: 'connections' },
] as const;

/** A row for each limit of the kernel. */
export const limitRows = (limits: KernelLimits): LimitRow[] =>
  LIMITS.map(({ name, part, source }) => {
    const { used = null, max = null } = limits[part] ?? {};
    return { name, used, max, percent: used === null || max === null || max === 0 ? null : (100 * used) / max, source };
  });

/** "clock synchronised"; empty where the collector does not report it. */
export const clockText = ({ clock_synchronized: flag }: KernelLimits): string | undefined =>
  flag === null ? undefined : flag ? 'clock synchronised' : 'clock not synchronised';
