import { styled } from '@mui/material/styles';
import { CapacityBar } from '../components/fleet/capacity-bar.tsx';
import { ChartCard } from '../components/chart/chart-card.tsx';
import { Chip, Level, StatusChip } from '../components/chips.tsx';
import { Figure } from '../components/figure.tsx';
import { FleetStrip } from '../components/fleet/fleet-strip.tsx';
import { HeadroomPhrase } from '../components/fleet/headroom-phrase.tsx';
import { Mark } from '../components/logo.tsx';
import { Panel, PanelBody } from '../components/panel.tsx';
import { EmptyState, ErrorState } from '../components/feedback/states.tsx';
import { StatGrid, StatTile } from '../components/stat-tile.tsx';
import { ALERT_LEVELS, SERVER_STATUSES } from '@plimsoll/contract/rules/limits';
import { chartPoints, FLEET, HOUR_FROM, NOW_MS } from './parts-samples.ts';

const Table = styled('div')({
  display: 'grid',
  gridTemplateColumns: '130px 126px 1fr',
  alignItems: 'center',
  gap: '9px 12px',
  '& > :nth-of-type(3n)': { textAlign: 'right' },
});
const Flow = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center', marginBottom: 10 });
const Stack = styled('div')({ display: 'grid', gap: 9 });

const BARS = [
  { name: 'clear', value: 42, line: 80 },
  { name: 'within 20 points', value: 71, line: 80 },
  { name: 'over the line', value: 86, line: 80 },
  { name: 'over critical', value: 97, line: 80 },
  { name: 'line moved to 65', value: 58, line: 65 },
  { name: 'stale', value: 63, line: 80, stale: true },
  { name: 'disk average, line 90', value: 74, line: 90 },
  { name: 'not available', value: null, line: 80 },
];

export const Bars = () => (
  <Panel title="Capacity bar">
    <PanelBody>
      <Table>
        {BARS.map(({ name, value, line, stale = false }) => [
          <div key={`${name}-name`}>{name}</div>,
          <div key={`${name}-bar`}>
            <CapacityBar name={name} value={value} line={line} critical={line === 80 ? 95 : null} stale={stale} />
          </div>,
          <div key={name}>
            <Figure value={value === null ? null : String(value)} unit="%" reason={value === null ? 'macOS' : null} />
          </div>,
        ])}
      </Table>
    </PanelBody>
  </Panel>
);

const headroom = (resource: 'cpu' | 'memory' | 'disk', value: number) => ({
  resource,
  value,
  line: 80,
  points: 80 - value,
  subject: null,
});

export const Phrases = () => (
  <Panel title="Headroom phrase">
    <PanelBody>
      <Stack>
        <HeadroomPhrase headroom={headroom('cpu', 91)} form="full" />
        <HeadroomPhrase headroom={headroom('disk', 76)} form="full" />
        <HeadroomPhrase headroom={headroom('memory', 51)} form="full" />
        <HeadroomPhrase headroom={null} staleSince={NOW_MS - 420_000} />
        <HeadroomPhrase headroom={null} />
      </Stack>
    </PanelBody>
  </Panel>
);

export const Marks = () => (
  <Panel title="Mark">
    <PanelBody>
      <Flow>
        {[64, 32, 24, 16].map((size) => (
          <Mark key={size} size={size} title={`Mark at ${size} px`} />
        ))}
      </Flow>
    </PanelBody>
  </Panel>
);

export const Chips = () => (
  <Panel title="Status, level, phase">
    <PanelBody>
      <Flow>
        {SERVER_STATUSES.map((status) => (
          <StatusChip key={status} status={status} />
        ))}
      </Flow>
      <Flow>
        {ALERT_LEVELS.map((level) => (
          <Level key={level} level={level} />
        ))}
      </Flow>
      <Flow>
        <Chip>Running</Chip>
        <Chip tone="near">Pending</Chip>
        <Chip tone="over">Failed</Chip>
      </Flow>
    </PanelBody>
  </Panel>
);

const Swatch = styled('div')(({ theme }) => {
  const { load } = theme.vars.palette;
  const colours = [load.series1, load.series2, load.series3, load.series4];
  const rest = [load.series5, load.series6, load.series7, load.series8];
  return {
    height: 20,
    borderRadius: 2,
    ...Object.fromEntries(
      [...colours, ...rest].map((colour, index) => [`&[data-n="${index + 1}"]`, { backgroundColor: colour }]),
    ),
  };
});

export const Series = () => (
  <Panel title="Chart series, in this order">
    <PanelBody>
      <div style={{ display: 'grid', gridTemplateColumns: 'repeat(4, 1fr)', gap: 8 }}>
        {[1, 2, 3, 4, 5, 6, 7, 8].map((n) => (
          <Swatch key={n} data-n={n} />
        ))}
      </div>
    </PanelBody>
  </Panel>
);

const CPU = [{ id: 'cpu', label: 'CPU', colour: 1, points: chartPoints() }] as const;
const RANGE = { from: HOUR_FROM, to: HOUR_FROM + 3600, yMax: 100, line: 80, critical: 95, unit: '%', steps: 5 };

export const Charts = () => (
  <>
    <ChartCard
      {...RANGE}
      title="CPU"
      series={CPU}
      staleSince={NOW_MS - 420_000}
      silent
      gaps={[{ from: HOUR_FROM + 3110, to: HOUR_FROM + 3600, words: 'no reports', label: 'no reports' }]}
      marks={[{ id: 'a', from: HOUR_FROM + 1200, to: HOUR_FROM + 1500, tone: 'near', words: 'CPU above 80 %' }]}
    />
    <ChartCard
      {...RANGE}
      title="CPU"
      series={[]}
      empty={<EmptyState sentence="No metrics data available" reason="This server has not reported in this range." />}
    />
    <ChartCard
      {...RANGE}
      title="CPU"
      series={[]}
      failure={<ErrorState message="Request failed" detail="The server answered 503." at={NOW_MS} onRetry={() => {}} />}
    />
    <ChartCard {...RANGE} title="CPU" series={[]} loading />
  </>
);

export const Strip = () => (
  <>
    <Panel title="Fleet strip">
      <PanelBody>
        <FleetStrip fleet={FLEET} to={(id) => `/servers/${id}`} />
      </PanelBody>
    </Panel>
    <StatGrid style={{ '--columns': 4 } as React.CSSProperties}>
      <StatTile label="Total Servers" value="17" fact="14 hosts, 3 nodes" />
      <StatTile
        label="Avg CPU"
        aside="line 80"
        value="47.9"
        unit="%"
        bar={<CapacityBar name="Average CPU" value={47.9} line={80} />}
      />
      <StatTile label="CPU" value="91.4" unit="%" band="over" fact="peak 97.2 at 21:02" />
      <StatTile label="IO Wait" value={null} reason="Not available on macOS" />
    </StatGrid>
  </>
);
