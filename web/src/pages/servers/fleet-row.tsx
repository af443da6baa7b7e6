import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { bandOf } from '@plimsoll/contract/rules/headroom';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { Age } from '../../components/age.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { Chip } from '../../components/chips.tsx';
import { Figure } from '../../components/figure.tsx';
import { Region } from '../../components/flag.tsx';
import { StatusIcon } from '../../components/status-icons.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { momentMs } from '../../time/age.ts';
import { RESOURCE_NAME } from '../../format/load-words.ts';
import { cardFigures, serverName } from '../../format/server-facts.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Distance } from './distance.tsx';
import { HeadroomPlot } from './headroom-plot.tsx';

const Row = styled(TableRow)(({ theme }) => {
  const { load, text, action } = theme.vars.palette;
  return {
    position: 'relative',
    '&:hover': { backgroundColor: action.selected, '--row': action.selected },
    '& .name': { display: 'flex', alignItems: 'center', gap: 8, fontWeight: 600, maxWidth: 190 },
    '& .name a': { color: text.primary, minWidth: 0 },
    '& .reading': { display: 'grid', gridTemplateColumns: '40px 56px', alignItems: 'center', gap: 8 },
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

interface FleetRowProps {
  server: Server;
  latest: LatestMetricsItem | undefined;
  index: number;
}

export function FleetRow({ server, latest, index }: FleetRowProps) {
  const gone = server.status === 'uninstalled' || server.status === 'installing';
  const figures = cardFigures(gone ? undefined : latest);
  const ioWait = gone ? undefined : latest?.metrics.io_wait;
  const stale = server.status !== 'active';
  return (
    <Row data-stale={stale ? '' : undefined} aria-rowindex={index + 2}>
      <TableCell component="th" scope="row">
        <Name server={server} />
      </TableCell>
      <TableCell>
        <Distance server={server} />
      </TableCell>
      <TableCell className="plot">
        <HeadroomPlot headroom={gone ? null : server.headroom} stale={stale} />
      </TableCell>
      {RESOURCES.map((resource) => {
        const value = figures[resource];
        const { warning } = server.lines[resource];
        return (
          <TableCell key={resource}>
            <span className="reading" data-band={stale || value === null ? 'ok' : bandOf(value, warning)}>
              <span className="value">
                <Figure value={value === null ? null : String(Math.round(value))} unit="%" />
              </span>
              <CapacityBar name={RESOURCE_NAME[resource]} value={value} line={warning} stale={stale} />
            </span>
          </TableCell>
        );
      })}
      <TableCell align="right" className="wide">
        <span title={ioWait?.reason ?? undefined}>
          <Figure value={ioWait?.value?.toFixed(1) ?? null} unit="%" />
        </span>
      </TableCell>
      <TableCell className="wide">
        <Region region={server.region} />
      </TableCell>
      <TableCell align="right">
        <span className={stale && server.last_seen_at !== null ? 'late' : 'quiet'}>
          <Age at={momentMs(server.last_seen_at)} />
        </span>
      </TableCell>
    </Row>
  );
}
