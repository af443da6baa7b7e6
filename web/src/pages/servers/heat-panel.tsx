import { styled } from '@mui/material/styles';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server, ServersAnswer, ServersSummary } from '@plimsoll/contract/wire/servers';
import { RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { HeatGrid } from '../../components/fleet/heat/heat-grid.tsx';
import { Figure } from '../../components/figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { BandIcon, StatusIcon } from '../../components/status-icons.tsx';
import { cardFigures } from '../../format/server-facts.ts';
import { percentText } from '../../format/percent-text.ts';
import { paths } from '../../paths.ts';

/** In sight while the table beside it scrolls. */
const Frame = styled('div')({
  position: 'sticky',
  top: 'calc(68px + var(--moment-band, 0px))',
  maxHeight: 'calc(100vh - 80px - var(--moment-band, 0px))',
  overflowY: 'auto',
  minWidth: 0,
  '& .grid': { padding: '12px 16px 16px' },
});
const Counts = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0 16px',
  margin: 0,
  padding: '8px 16px 0',
  color: theme.vars.palette.text.secondary,
  '& > span': { display: 'inline-flex', alignItems: 'center', gap: 5 },
  '& b': { fontWeight: 600, color: theme.vars.palette.text.primary },
}));
const Bars = styled('span')({
  display: 'grid',
  gridTemplateColumns: 'auto 88px 40px',
  alignItems: 'center',
  gap: '2px 8px',
  marginTop: 4,
  '& > :nth-of-type(3n)': { textAlign: 'right' },
});

const RESOURCES = ['cpu', 'memory', 'disk'] as const;

function ServerBars({ server, latest }: { server: Server; latest: LatestMetricsItem | undefined }) {
  const figures = cardFigures(latest);
  return (
    <Bars>
      {RESOURCES.flatMap((resource) => [
        <span key={resource}>{RESOURCE_NAME[resource]}</span>,
        <CapacityBar
          key={`${resource}-bar`}
          name={RESOURCE_NAME[resource]}
          value={figures[resource]}
          line={server.lines[resource].warning}
          stale={server.status !== 'active'}
        />,
        <span key={`${resource}-value`}>
          <Figure value={percentText(figures[resource], server.lines[resource].warning)} unit="%" />
        </span>,
      ])}
    </Bars>
  );
}

function Legend({ summary }: { summary: ServersSummary }) {
  const { over_line: over, near_line: near, clear, offline, refused, installing } = summary;
  const late = offline + refused;
  return (
    <Counts>
      <span>
        <BandIcon band="over" size={9} /> <b>{over}</b> over
      </span>
      <span>
        <BandIcon band="near" size={9} /> <b>{near}</b> within 20 points
      </span>
      <span>
        <b>{clear}</b> clear
      </span>
      {late > 0 && (
        <span>
          <StatusIcon status="offline" size={9} /> <b>{late}</b> late
        </span>
      )}
      {installing > 0 && (
        <span>
          <StatusIcon status="installing" size={9} /> <b>{installing}</b> installing
        </span>
      )}
    </Counts>
  );
}

interface HeatPanelProps {
  answer: ServersAnswer;
  latest: ReadonlyMap<string, LatestMetricsItem>;
}

/** The whole fleet beside its table: one cell a server. */
export function HeatPanel({ answer, latest }: HeatPanelProps) {
  const servers = new Map(answer.servers.map((server) => [server.id, server]));
  return (
    <Frame>
      <Panel title="Load line" note="one cell a server, its nearest resource">
        <Legend summary={answer.summary} />
        <div className="grid">
          <HeatGrid
            fleet={answer.fleet}
            to={paths.server}
            renderDetail={(id) => {
              const server = servers.get(id);
              return server !== undefined && <ServerBars server={server} latest={latest.get(id)} />;
            }}
          />
        </div>
      </Panel>
    </Frame>
  );
}
