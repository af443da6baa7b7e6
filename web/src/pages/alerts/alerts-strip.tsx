import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ChartMarker } from '../../components/chart/markers/cluster-markers.ts';
import { Spark } from '../../components/fleet/spark.tsx';
import { ExpandMore as ExpandMoreIcon } from '../../components/icons/material.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { numberText, plural } from '../../format/figures.ts';
import { rangeLabel, type TimeRange } from '../../time/range.ts';
import { bandPoints } from '../../components/chart/points/series-shape.ts';

const Strip = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(120px, max-content) 1fr auto',
  alignItems: 'center',
  gap: 16,
  height: 52,
  padding: '0 8px 0 16px',
  borderRadius: 8,
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  fontSize: 12,
  lineHeight: '16px',
  '& .about': { color: theme.vars.palette.text.secondary, overflow: 'hidden', textOverflow: 'ellipsis' },
  '& strong': { display: 'block', color: theme.vars.palette.text.primary, fontWeight: 600 },
  '& .picture': { position: 'relative', height: 44, minWidth: 0 },
  '& .curve': { height: 28 },
  '& .lane': { display: 'block', width: '100%', height: 12, marginTop: 2 },
  '& .over': { fill: theme.vars.palette.load.overText },
  '& .near': { fill: theme.vars.palette.load.nearText },
  '& .info, & .quiet': { fill: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: {
    height: 44,
    gap: 8,
    gridTemplateColumns: 'max-content 1fr auto',
    '& .picture': { height: 40 },
  },
}));

const FoldButton = styled(Button)({
  minHeight: 40,
  '& > svg': { marginLeft: 4 },
  '&[aria-expanded="true"] > svg': { transform: 'rotate(180deg)' },
});

/** Width of the lane in its own units, and the least width at which a span is seen. */
const LANE_WIDTH = 1000;
const LEAST_WIDTH = 4;

/** Alerts of the range, each from its start to its end; the gravest are drawn last. */
function Lane({ marks, from, to }: { marks: readonly ChartMarker[]; from: number; to: number }) {
  const x = (at: number): number => Math.min(1, Math.max(0, (at - from) / Math.max(1, to - from))) * LANE_WIDTH;
  const order = ['quiet', 'info', 'event', 'near', 'over'];
  const drawn = marks
    .filter((mark) => (mark.to ?? mark.from) >= from && mark.from <= to)
    .toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
  return (
    <svg className="lane" viewBox={`0 0 ${LANE_WIDTH} 12`} preserveAspectRatio="none" aria-hidden>
      {drawn.map(({ id, tone, from: begin, to: end }) => {
        const left = Math.min(x(begin), LANE_WIDTH - LEAST_WIDTH);
        // Two heights, so that colour is not the only difference.
        const isOver = tone === 'over';
        return (
          <rect
            key={id}
            className={tone}
            x={left}
            y={isOver ? 1 : 4}
            width={Math.max(LEAST_WIDTH, x(end ?? begin) - left)}
            height={isOver ? 10 : 4}
          />
        );
      })}
    </svg>
  );
}

/** CPU of one server, or the highest of all in each bucket. */
function pointsOf(answer: TimeseriesAnswer) {
  if (!answer.aggregated) return bandPoints(answer.timeseries, 'cpu').map(({ at, avg }) => ({ at, value: avg }));
  return answer.timeseries.map(({ timestamp, bands }) => ({ at: timestamp, value: bands.cpu.max }));
}

const rangeWords = (range: TimeRange): string =>
  range.kind === 'relative' ? `Last ${rangeLabel(range.hours)}` : 'Chosen range';

interface AlertsStripProps {
  answer: TimeseriesAnswer | undefined;
  range: TimeRange;
  line: number | null;
  marks: readonly ChartMarker[];
  /** Name of the one server it is about; null: all of them. */
  subject: string | null;
  servers: number;
  /** The whole chart, drawn when a person opens it. */
  children: ReactNode;
}

/** CPU and alerts of the range in one line above the list. Its button opens the whole chart. */
export function AlertsStrip({ answer, range, line, marks, subject, servers, children }: AlertsStripProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const points = answer === undefined ? [] : pointsOf(answer);
  const values = points.flatMap(({ value }) => value ?? []);
  const highest = values.length === 0 ? null : Math.max(...values);
  const about = subject === null ? `CPU, highest of ${plural(servers, 'server')}` : `CPU of ${subject}`;
  return (
    <>
      <Strip>
        <div className="about">
          <strong>{rangeWords(range)}</strong>
          {about}
        </div>
        <div className="picture">
          <VisuallyHidden>
            {answer !== undefined &&
              `${highest === null ? 'No value of CPU is known' : `The highest is ${numberText(highest) ?? ''} %`}. ${plural(marks.length, 'alert')} in the range.`}
          </VisuallyHidden>
          {answer !== undefined && (
            <>
              <div className="curve">
                <Spark points={points} line={line} />
              </div>
              <Lane marks={marks} from={answer.from} to={answer.to} />
            </>
          )}
        </div>
        <FoldButton
          variant="text"
          aria-expanded={isUnfolded}
          aria-label="Chart: metrics timeline"
          onClick={() => setUnfolded(!isUnfolded)}
        >
          Chart
          <ExpandMoreIcon />
        </FoldButton>
      </Strip>
      {isUnfolded && children}
    </>
  );
}
