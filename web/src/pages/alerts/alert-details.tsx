import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { momentMs } from '../../time/age.ts';
import { alertFigure } from '../../format/alert-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { fullMoment } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

const Cell = styled(TableCell)(({ theme }) => ({
  height: 'auto',
  padding: '8px 12px 16px 36px',
  whiteSpace: 'normal',
  backgroundColor: theme.vars.palette.action.selected,
  '& dl': { display: 'grid', gridTemplateColumns: 'max-content minmax(0, 1fr)', gap: '4px 20px', margin: '0 0 8px' },
  '& dt': { color: theme.vars.palette.load.text3 },
  '& dd': { margin: 0, overflowWrap: 'anywhere' },
}));

function factsOf(alert: Alert) {
  const { value, threshold, unit } = alertFigure(alert);
  const resolved = momentMs(alert.resolved_at);
  const seen = momentMs(alert.acknowledged_at);
  return [
    { name: 'Alert', value: escapeInvisible(alert.title) },
    { name: 'Fired', value: fullMoment(alert.timestamp * 1000) },
    { name: 'Resolved', value: resolved === null ? 'not yet' : fullMoment(resolved) },
    { name: 'Value', value: value === null ? 'N/A' : `${value} ${unit} against ${threshold ?? 'N/A'} ${unit}` },
    ...(seen === null ? [] : [{ name: 'Acknowledged', value: fullMoment(seen) }]),
  ];
}

/** What is known of one alert, under its row. */
export function AlertDetails({ alert }: { alert: Alert }) {
  return (
    <TableRow>
      <Cell colSpan={7}>
        <dl>
          {factsOf(alert).map(({ name, value }) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Link to={paths.serverAt(alert.server_id, alert.timestamp)}>
          Processes at that time on {escapeInvisible(alert.tags.hostname)}
        </Link>
      </Cell>
    </TableRow>
  );
}
