import { styled } from '@mui/material/styles';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { CapacityBar } from '../../../components/fleet/capacity-bar.tsx';
import { Figure } from '../../../components/figure.tsx';
import { alertFigure, isState } from '../../../format/alert-words.ts';
import { groupName, lineText, metricWords } from '../../../format/incident-words.ts';
import type { GroupRow } from '../../../format/incident-rows.ts';

/** The value of an alert against its line. A state has neither, so its cell is empty. */
export function Reading({ alert }: { alert: Alert }) {
  const { value, threshold, unit, percent } = alertFigure(alert);
  if (isState(alert)) return null;
  return (
    <span className="reading">
      <b>
        <Figure value={value} unit={unit} />
      </b>
      {percent && (
        <span className="bar">
          <CapacityBar
            name={metricWords(alert.metric_name)}
            value={alert.current_value}
            line={alert.threshold_value}
            stale={alert.status !== 'active'}
          />
        </span>
      )}
      {threshold !== null && <span className="quiet">line {lineText(alert)}</span>}
    </span>
  );
}

const WIDTH = 112;
const HEIGHT = 24;
/** More bars than these would be thinner than a pixel. */
const MOST_BARS = WIDTH;

const Bars = styled('svg')(({ theme }) => ({
  flex: 'none',
  '& rect': { fill: theme.vars.palette.load.over },
  '& line': { stroke: theme.vars.palette.load.line, strokeWidth: 2 },
}));

/** One bar for each incident of a group, the worst first, against their one line. */
export function GroupReading({ row }: { row: GroupRow }) {
  const { lead, incidents } = row;
  const { percent } = alertFigure(lead);
  const lines = new Set(incidents.map((incident) => incident.lead.threshold_value));
  const line = lead.threshold_value;
  if (!percent || line === null || lines.size > 1) return <Reading alert={lead} />;
  const step = Math.max(1, incidents.length / MOST_BARS);
  const count = Math.min(incidents.length, MOST_BARS);
  const values = Array.from(
    { length: count },
    (_, index) => incidents[Math.floor(index * step)]?.lead.current_value ?? 0,
  );
  const wide = WIDTH / count;
  const high = (value: number) => (Math.min(value, 100) / 100) * HEIGHT;
  return (
    <span className="reading">
      <Bars width={WIDTH} height={HEIGHT} role="img" aria-label={groupName(row.metric)}>
        {values.map((value, index) => (
          <rect
            key={index}
            x={index * wide}
            y={HEIGHT - high(value)}
            width={Math.max(1, wide - 1)}
            height={high(value)}
          />
        ))}
        <line x1={0} x2={WIDTH} y1={HEIGHT - high(line)} y2={HEIGHT - high(line)} />
      </Bars>
      <span className="quiet">line {lineText(lead)}</span>
    </span>
  );
}
