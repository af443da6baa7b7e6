import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { bandOf } from '@plimsoll/contract/rules/headroom';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { Age } from '../../components/age.tsx';
import { DiskForecastText } from '../../components/fleet/disk-forecast.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { Chip } from '../../components/chips.tsx';
import { TagChips } from '../../components/fleet/tag-chips.tsx';
import { Figure } from '../../components/figure.tsx';
import { Region } from '../../components/flag.tsx';
import { StatusIcon } from '../../components/status-icons.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { momentMs, uptimeText } from '../../time/age.ts';
import { RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';
import { cardFigures, serverName } from '../../format/server-facts.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { CompareTick, type Ticks } from './compare-tick.tsx';
import { Distance } from './distance.tsx';
import { HeadroomPlot } from '../../components/fleet/headroom-plot.tsx';
import { percentText } from '../../format/percent-text.ts';
import { megabytesPerSecond, numberText } from '../../format/figures.ts';

const Row = styled(TableRow)(({ theme }) => {
  const { load, text, action } = theme.vars.palette;
  return {
    position: 'relative',
    '&:hover': { backgroundColor: action.selected, '--row': action.selected },
    '& .name': { display: 'flex', alignItems: 'center', gap: 8, fontWeight: 600, minWidth: 0 },
    '& .name a': { color: text.primary, minWidth: 0, overflow: 'hidden' },
    '& .reading': { display: 'grid', gridTemplateColumns: '40px var(--bar)', alignItems: 'center', gap: 8 },
    '& .reading > :first-of-type': { textAlign: 'right' },
    '& [data-band="near"] > .value': { color: load.nearText },
    '& [data-band="over"] > .value': { color: load.overText, fontWeight: 600 },
    '& .quiet, &[data-stale] .value': { color: load.text3, fontWeight: 400 },
    '& .late': { color: text.primary },
  };
});

const RESOURCES = ['cpu', 'memory', 'disk'] as const;

function Name({ server }: { server: Server }) {
  return (
    <span className="name">
      <StatusIcon status={server.status} />
      <Link to={paths.server(server.id)}>
        <MiddleTruncate text={serverName(server)} />
      </Link>
      {server.is_kubernetes_node && <Chip>k8s</Chip>}
    </span>
  );
}

/** Load, bandwidth: what a wide table has room for. */
function WideFigures({ server, metrics }: { server: Server; metrics: LatestMetricsItem['metrics'] | undefined }) {
  const rates = [
    ['inbound', metrics?.inbound_bytes_per_sec],
    ['outbound', metrics?.outbound_bytes_per_sec],
  ] as const;
  const load = metrics?.load_1m;
  return (
    <>
      <TableCell align="right" className="load">
        <span title={load?.reason ?? undefined}>
          <Figure
            value={numberText(load?.value, 1)}
            {...(server.cpu_cores === null ? {} : { unit: `of ${server.cpu_cores}` })}
          />
        </span>
      </TableCell>
      {rates.map(([name, rate]) => (
        <TableCell key={name} align="right" className={name}>
          <span title={rate?.reason ?? undefined}>
            <Figure value={rate?.value == null ? null : numberText(megabytesPerSecond(rate.value), 1)} />
          </span>
        </TableCell>
      ))}
    </>
  );
}

interface FleetRowProps {
  server: Server;
  latest: LatestMetricsItem | undefined;
  index: number;
  ticks: Ticks;
}

export function FleetRow({ server, latest, index, ticks }: FleetRowProps) {
  const gone = server.status === 'uninstalled' || server.status === 'installing';
  const figures = cardFigures(gone ? undefined : latest);
  const ioWait = gone ? undefined : latest?.metrics.io_wait;
  const stale = server.status !== 'active';
  return (
    <Row data-stale={stale ? '' : undefined} aria-rowindex={index + 2}>
      <TableCell className="tick">
        <CompareTick id={server.id} name={serverName(server)} ticks={ticks} />
      </TableCell>
      <TableCell component="th" scope="row">
        <Name server={server} />
      </TableCell>
      <TableCell>
        <Distance server={server} />
      </TableCell>
      <TableCell className="plot">
        <HeadroomPlot headroom={stale ? null : server.headroom} stale={stale} />
      </TableCell>
      {RESOURCES.map((resource) => {
        const value = figures[resource];
        const { warning } = server.lines[resource];
        return (
          <TableCell key={resource}>
            <span className="reading" data-band={stale || value === null ? 'ok' : bandOf(value, warning)}>
              <span className="value">
                <Figure value={percentText(value ?? null, warning)} unit="%" />
              </span>
              <CapacityBar name={RESOURCE_NAME[resource]} value={value} line={warning} stale={stale} />
            </span>
          </TableCell>
        );
      })}
      <TableCell className="fills">
        {stale ? <Figure value={null} /> : <DiskForecastText forecast={server.disk_forecast} dash />}
      </TableCell>
      <TableCell align="right" className="io_wait">
        <span title={ioWait?.reason ?? undefined}>
          <Figure value={ioWait?.value?.toFixed(1) ?? null} unit="%" />
        </span>
      </TableCell>
      <WideFigures server={server} metrics={gone ? undefined : latest?.metrics} />
      <TableCell className="tags">
        <TagChips tags={server.tags} most={2} />
      </TableCell>
      <TableCell className="region">
        <Region region={server.region} />
      </TableCell>
      <TableCell align="right" className="uptime">
        <Figure value={stale ? null : uptimeText(server.uptime_seconds)} />
      </TableCell>
      <TableCell align="right" className="last_seen">
        <span className={stale && server.last_seen_at !== null ? 'late' : 'quiet'}>
          <Age at={momentMs(server.last_seen_at)} />
        </span>
      </TableCell>
    </Row>
  );
}
