import Skeleton from '@mui/material/Skeleton';
import { bandOf, nearPointsOf } from '@plimsoll/contract/rules/headroom';
import { LOAD_LINES } from '@plimsoll/contract/rules/limits';
import type { ServersSummary } from '@plimsoll/contract/wire/servers';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { cssVars } from '../../components/css-vars.ts';
import { gigabytesText, numberText, plural } from '../../format/figures.ts';
import { notOnlineText } from '../../format/server-counts.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { useView } from '../../state/view.ts';
import { NextToFill } from './next-to-fill.tsx';

const COLUMNS = 6;
const TILES = 12;
/** Averages over the fleet have bands of their own: disk 70/90, IO wait 5/10. */
const AVERAGE_LINES = { cpu: 80, memory: 80, disk: 90, ioWait: LOAD_LINES.ioWait.warning } as const;
const IO_WAIT_NEAR = nearPointsOf('io_wait', AVERAGE_LINES.ioWait);
/** Why the lines of the average and of a server differ. */
const DISK_LINES = `one server: ${LOAD_LINES.disk.warning}, since a full disk stops it`;
/** The IO wait bar ends a quarter past its line. */
const IO_WAIT_MAX = AVERAGE_LINES.ioWait * 1.25;
const GB_PER_TB = 1024;
const NO_REPORT = 'no fresh report';

function kindsText({ total, kubernetes_nodes: nodes }: ServersSummary): string {
  const hosts = plural(total - nodes, 'host');
  return nodes === 0 ? hosts : `${hosts}, ${plural(nodes, 'node')}`;
}

/** "of 1 of 30 servers" where a figure lacks some of those online; undefined where it has them all. */
const lackingText = (counted: number, { online }: ServersSummary): string | undefined =>
  counted < online ? `of ${counted} of ${online} servers` : undefined;

/** The parts that are there, as one line. */
const joined = (separator: string, ...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(separator);

function CountTiles({ summary }: { summary: ServersSummary }) {
  const { total, online, uninstalled } = summary;
  const peak = summary.peak_iops;
  return (
    <>
      <StatTile label="Total Servers" value={numberText(total)} fact={kindsText(summary)} />
      <StatTile
        label="Online Servers"
        value={numberText(online)}
        fact={notOnlineText(summary) || 'all installed servers'}
      />
      <StatTile label="Uninstalled" value={numberText(uninstalled)} fact={uninstalled > 0 ? 'history kept' : 'none'} />
      <StatTile
        label="Uptime"
        value={numberText(summary.uptime_percent, 1)}
        unit="%"
        fact={`${online} of ${total} online`}
      />
      <StatTile
        label="Avg IOPS"
        value={numberText(summary.avg_iops)}
        reason={NO_REPORT}
        fact={
          peak === null
            ? undefined
            : joined(
                '; ',
                `peak ${numberText(peak.value)}, ${escapeInvisible(peak.hostname)}`,
                lackingText(summary.servers_with.iops, summary),
              )
        }
      />
    </>
  );
}

function AverageTile({
  label,
  value,
  line,
  near,
  max,
  fact,
}: {
  label: string;
  value: number | null;
  line: number;
  near?: number;
  max?: number;
  fact?: string | undefined;
}) {
  const scale = { ...(near === undefined ? {} : { near }), ...(max === undefined ? {} : { max }) };
  return (
    <StatTile
      label={label}
      aside={`line ${line}`}
      value={numberText(value, 1)}
      unit="%"
      band={value === null ? 'ok' : bandOf(value, line, near)}
      reason={NO_REPORT}
      bar={<CapacityBar name={label} value={value} line={line} {...scale} />}
      fact={fact}
    />
  );
}

/** Returns TB, or GB for a fleet whose disks would round to 0.0 or 0.1 TB. */
function storageQuantity(gigabytes: number | null) {
  if (gigabytes !== null && gigabytes < GB_PER_TB * 0.1) return { value: numberText(gigabytes), unit: 'GB' };
  return { value: numberText(gigabytes === null ? null : gigabytes / GB_PER_TB, 1), unit: 'TB' };
}

/** Returns GB, or TB where GB has five digits: "948 GB", "15.6 TB". */
function memoryQuantity(gigabytes: number | null) {
  if (gigabytes === null || gigabytes < GB_PER_TB * 10) return { value: numberText(gigabytes), unit: 'GB' };
  return { value: numberText(gigabytes / GB_PER_TB, 1), unit: 'TB' };
}

const quantityText = ({ value, unit }: { value: string | null; unit: string }): string => `${value ?? 'N/A'} ${unit}`;

function SizeTiles({ summary }: { summary: ServersSummary }) {
  const past = useView().at !== null;
  const { busy_cores, used_memory_gb, used_storage_gb, servers_with: counted } = summary;
  return (
    <>
      <StatTile
        label="Total CPU Cores"
        value={numberText(summary.total_cpu_cores)}
        fact={
          busy_cores === null
            ? undefined
            : joined(
                ' ',
                `${numberText(busy_cores, busy_cores < 10 ? 1 : 0)} busy${past ? '' : ' now'}`,
                lackingText(counted.cpu, summary),
              )
        }
      />
      <StatTile
        label="Total Memory"
        {...memoryQuantity(summary.total_memory_gb)}
        fact={
          used_memory_gb === null
            ? undefined
            : joined(
                ' ',
                `${quantityText(memoryQuantity(used_memory_gb))} in use`,
                lackingText(counted.used_memory, summary),
              )
        }
      />
      <StatTile
        label="Total Storage"
        {...storageQuantity(summary.total_storage_gb)}
        fact={
          used_storage_gb === null
            ? undefined
            : joined(' ', `${gigabytesText(used_storage_gb)} in use`, lackingText(counted.used_storage, summary))
        }
      />
    </>
  );
}

/** The twelve figures of the fleet. */
export function FleetStats({ summary }: { summary: ServersSummary | undefined }) {
  if (summary === undefined) {
    return (
      <StatGrid style={cssVars({ columns: COLUMNS })} aria-label="Loading" role="status">
        {Array.from({ length: TILES }, (_, index) => (
          <StatTile key={index} label="" value="" bar={<Skeleton width="60%" height={12} />} />
        ))}
      </StatGrid>
    );
  }
  return (
    <StatGrid style={cssVars({ columns: COLUMNS })} aria-label="Fleet" role="group">
      <CountTiles summary={summary} />
      <AverageTile
        label="Avg IO Wait"
        value={summary.avg_io_wait}
        line={AVERAGE_LINES.ioWait}
        near={IO_WAIT_NEAR}
        max={IO_WAIT_MAX}
        fact={lackingText(summary.servers_with.io_wait, summary)}
      />
      <SizeTiles summary={summary} />
      <AverageTile
        label="Avg CPU"
        value={summary.avg_cpu}
        line={AVERAGE_LINES.cpu}
        fact={lackingText(summary.servers_with.cpu, summary)}
      />
      <AverageTile
        label="Avg Memory"
        value={summary.avg_memory}
        line={AVERAGE_LINES.memory}
        fact={lackingText(summary.servers_with.memory, summary)}
      />
      <AverageTile
        label="Avg Disk"
        value={summary.avg_disk}
        line={AVERAGE_LINES.disk}
        fact={joined('; ', lackingText(summary.servers_with.disk, summary), DISK_LINES)}
      />
      <NextToFill next={summary.next_to_fill} />
    </StatGrid>
  );
}
