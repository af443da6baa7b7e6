import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import { bandOf } from '@plimsoll/contract/rules/headroom';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { Age } from '../../components/age.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { Figure } from '../../components/figure.tsx';
import { StatusIcon } from '../../components/status-icons.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { Rows } from '../../components/panel.tsx';
import { useCardWindow } from '../../components/fleet/use-card-window.ts';
import type { CardSize } from '../../components/fleet/use-card-window.ts';
import { momentMs } from '../../time/age.ts';
import { RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';
import { cardFigures, serverName } from '../../format/server-facts.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { CompareTick, type Ticks } from './compare-tick.tsx';
import { Distance } from './distance.tsx';
import { percentText } from '../../format/percent-text.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gap: 8,
  padding: '10px 12px',
  '& > div': { display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 },
  '& .name': { color: theme.vars.palette.text.primary, fontWeight: 600, minWidth: 0, marginRight: 'auto' },
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& .readings': { display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', gap: 12 },
  '& .readings > span': {
    ...theme.typography.caption,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 36px',
    gap: 6,
    alignItems: 'center',
  },
  '& [data-band="near"] > :last-child': { color: theme.vars.palette.load.nearText },
  '& [data-band="over"] > :last-child': { color: theme.vars.palette.load.overText, fontWeight: 600 },
}));

const RESOURCES = ['cpu', 'memory', 'disk'] as const;

interface FleetListProps {
  servers: readonly Server[];
  latest: ReadonlyMap<string, LatestMetricsItem>;
  ticks: Ticks;
}

const LINES: CardSize = { px: 67, gapPx: 0 };

/** The table of a small screen: two lines a server. */
export function FleetList({ servers, latest, ticks }: FleetListProps) {
  const [list, { first, end, above, below }] = useCardWindow<HTMLUListElement>(servers.length, LINES);
  return (
    <Paper>
      <Rows ref={list} aria-label="Servers">
        {above > 0 && <li aria-hidden style={{ height: above }} />}
        {servers.slice(first, end).map((server) => {
          const figures = cardFigures(server.status === 'uninstalled' ? undefined : latest.get(server.id));
          const stale = server.status !== 'active';
          return (
            <Row key={server.id}>
              <div>
                <CompareTick id={server.id} name={serverName(server)} ticks={ticks} />
                <StatusIcon status={server.status} />
                <Link className="name" to={paths.server(server.id)}>
                  <MiddleTruncate text={serverName(server)} />
                </Link>
                <Distance server={server} />
                <span className="quiet">
                  <Age at={momentMs(server.last_seen_at)} form="short" />
                </span>
              </div>
              <div className="readings">
                {RESOURCES.map((resource) => {
                  const value = figures[resource];
                  const { warning } = server.lines[resource];
                  return (
                    <span key={resource} data-band={stale || value === null ? 'ok' : bandOf(value, warning)}>
                      <CapacityBar name={RESOURCE_NAME[resource]} value={value} line={warning} stale={stale} />
                      <Figure value={percentText(value ?? null, warning)} unit="%" />
                    </span>
                  );
                })}
              </div>
            </Row>
          );
        })}
        {below > 0 && <li aria-hidden style={{ height: below }} />}
      </Rows>
    </Paper>
  );
}
