import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { nearestPoint } from './points/chart-shape.ts';
import { seriesTable } from './series-table.ts';
import { cursor } from '../../state/chart-cursor.ts';
import { numberText } from '../../format/figures.ts';
import { Age } from '../age.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { stretchName } from '../export/export-file.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { CHART_PX } from './chart-props.ts';
import type { LoadChartProps } from './chart-props.ts';
import { LoadChart } from './load-chart.tsx';
import type { ChartSeries } from './series.tsx';
import { Chip } from '../chips.tsx';
import { Figure } from '../figure.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { useStored } from '../../state/use-stored.ts';
import { ScheduleOutlined as ScheduleIcon } from '../icons/material.tsx';

const Frame = styled(Paper)({
  minWidth: 0,
  overflow: 'hidden',
  display: 'flex',
  flexDirection: 'column',
}) as typeof Paper;
const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: '2px 10px',
  minHeight: 40,
  padding: '4px 16px 0',
  '& > h2': { ...theme.typography.h2, margin: 0 },
  '& > .note': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
  '& > strong': { fontWeight: 600 },
  '& > [data-lacking]::before': {
    content: '""',
    display: 'inline-block',
    width: 12,
    height: 4,
    marginRight: 6,
    verticalAlign: 'middle',
    backgroundColor: theme.vars.palette.load.near,
  },
}));
const Legend = styled('div')(({ theme }) => {
  const { load } = theme.vars.palette;
  const colours = [load.series1, load.series2, load.series3, load.series4];
  return {
    ...theme.typography.caption,
    marginLeft: 'auto',
    display: 'flex',
    gap: 14,
    // A phone has no room for it beside the reading.
    '&[data-bands]': { [theme.breakpoints.down('sm')]: { display: 'none' } },
    color: theme.vars.palette.text.secondary,
    '& > span': { display: 'inline-flex', alignItems: 'center', gap: 6 },
    '& b': { color: theme.vars.palette.text.primary, fontWeight: 600 },
    '& i': { width: 10, height: 2, backgroundColor: 'var(--c)' },
    '& i[data-before]': { height: 0, backgroundColor: 'transparent', borderTop: '1px dashed var(--c)' },
    '& i[data-band]': { height: 8, opacity: 0.3, borderRadius: 1 },
    ...Object.fromEntries(colours.map((colour, index) => [`& .s${index + 1}`, { '--c': colour }])),
  };
});
/** The legend takes the room between when there is one. */
const End = styled('div')({ marginLeft: 'auto', marginRight: -10, 'div + &': { marginLeft: 0 } });
/** Its one part is as high as it says, or as the card lets it be. */
const Body = styled('div')({
  flex: 1,
  display: 'flex',
  flexDirection: 'column',
  padding: '0 6px 4px',
  '&[data-fills] > *': { flex: '1 0 auto' },
});

interface ChartCardProps extends Omit<LoadChartProps, 'label'> {
  title: string;
  /** Whose figures they are, for the name of an exported file: a host, "all servers". */
  subject?: string;
  /** Beside the title: the mount, "average of 14 servers". */
  note?: ReactNode;
  /** The figure now; null is not available. Left out when there is more than one series. */
  now?: number | null;
  unit?: string;
  places?: number | ((value: number) => number);
  /** "11 over". */
  state?: ReactNode;
  /** Epoch milliseconds of the last report when it is late. */
  staleSince?: number | null;
  loading?: boolean;
  /** Instead of the chart: an error. */
  failure?: ReactNode;
  empty?: ReactNode;
  /** Below the chart. */
  foot?: ReactNode;
}

/** The value at the cursor while there is one inside this chart, else at the moment looked back at, else the one given. */
function useShown(series: ChartSeries, now: number | null | undefined, { from, to, moment }: ReadingProps['card']) {
  const [pointed] = useStored(cursor);
  const at = pointed ?? moment ?? null;
  if (at === null || at < from || at > to)
    return now ?? series.points.findLast((each) => each.avg !== null)?.avg ?? null;
  return nearestPoint(series.points, at)?.avg ?? null;
}

/** Decimal places of a value; one unless the chart says otherwise. */
const placesOf = ({ places = 1 }: Pick<ChartCardProps, 'places'>, value: number | null): number =>
  typeof places === 'number' ? places : places(value ?? 0);

interface ReadingProps {
  series: ChartSeries;
  card: Pick<ChartCardProps, 'unit' | 'places' | 'from' | 'to' | 'moment'>;
  now?: number | null | undefined;
}

function Reading({ series, card, now }: ReadingProps) {
  const shown = useShown(series, now, card);
  const { unit } = card;
  return <Figure value={numberText(shown, placesOf(card, shown))} {...(unit === undefined ? {} : { unit })} />;
}

function CardLegend({ card }: { card: ChartCardProps }) {
  const shown = card.series.filter((each) => !each.ghost);
  const [first] = shown;
  if (first === undefined) return null;
  if (card.endLabels) return null;
  if (shown.length > 1) {
    return (
      <Legend>
        {shown.map((each) => (
          <span key={each.id} className={`s${each.colour}`}>
            <i />
            {each.label}
            <b>
              <Reading series={each} card={card} />
            </b>
          </span>
        ))}
      </Legend>
    );
  }
  return null;
}

/** Average line, min–max band and what is compared with, said once on the large chart. */
export function BandLegend({ before }: { before?: string | undefined }) {
  return (
    <Legend data-bands="">
      <span className="s1">
        <i />
        average
      </span>
      <span className="s1">
        <i data-band="" />
        min–max
      </span>
      {before !== undefined && (
        <span className="s1">
          <i data-before="" />
          {before}
        </span>
      )}
    </Legend>
  );
}

function CardBody({ card, label }: { card: ChartCardProps; label: string }) {
  const { height = CHART_PX } = card;
  if (card.failure !== undefined) return <div style={{ minHeight: height }}>{card.failure}</div>;
  if (card.loading) return <ChartSkeleton height={height} />;
  const known = card.series.some((each) => each.points.some((point) => point.avg !== null));
  if (!known) {
    const none = <EmptyState sentence="No metrics data available" reason="Nothing was reported in this range." />;
    return <div style={{ minHeight: height, display: 'grid', placeContent: 'center' }}>{card.empty ?? none}</div>;
  }
  return <LoadChart {...card} label={label} />;
}

/** One chart with its reading; on hover the head shows the values at the crosshair. */
export function ChartCard(card: ChartCardProps & { legend?: ReactNode }) {
  const { title, subject, note, state, staleSince, series, unit = '' } = card;
  const [first] = series;
  const last = first?.points.findLast((each) => each.avg !== null)?.avg;
  const label = last == null ? title : `${title}: latest ${last.toFixed(placesOf(card, last))} ${unit}`.trim();
  return (
    <Frame component="section" aria-label={title}>
      <Head>
        <h2>{title}</h2>
        {first !== undefined && series.filter((each) => !each.ghost).length === 1 && !card.loading && (
          <strong>
            <Reading series={first} card={card} now={card.now} />
          </strong>
        )}
        {note !== undefined && <span className="note">{note}</span>}
        {first?.points.some(({ lacking }) => lacking !== undefined) === true && (
          <span className="note" data-lacking="">
            not all servers reported
          </span>
        )}
        {staleSince == null ? (
          state
        ) : (
          <Chip>
            <ScheduleIcon aria-hidden />
            <Age at={staleSince} prefix="last report " />
          </Chip>
        )}
        {card.legend ?? <CardLegend card={card} />}
        <End>
          <ExportButton
            holds={subject === undefined ? [title] : [subject, title]}
            suffix={stretchName(card.from, card.to)}
            table={() => seriesTable(series.filter((each) => !each.id.endsWith('-padding')))}
            disabled={last == null}
          />
        </End>
      </Head>
      <Body data-fills={card.fills ? '' : undefined}>
        <CardBody card={card} label={label} />
      </Body>
      {card.foot}
    </Frame>
  );
}
