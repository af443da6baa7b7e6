import { styled } from '@mui/material/styles';
import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentParameter } from '../../time/moment.ts';
import { Figure } from '../figure.tsx';
import { highestMoments } from './points/highest-moments.ts';
import { momentName } from './points/chart-ticks.ts';
import { TOUCH } from '../screen.ts';

const Row = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '2px 16px',
  padding: '0 16px 10px',
  color: theme.vars.palette.load.text3,
  '& > ul': { display: 'contents', listStyle: 'none' },
  '& li': { display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: '0 6px', minWidth: 0 },
  '& a': { minWidth: 0, overflowWrap: 'anywhere', fontWeight: 600 },
  [TOUCH]: { '& li': { minHeight: 40 }, '& a': { lineHeight: '40px' } },
}));

/** A list of processes this close to a peak still names what made it, in seconds. */
const CLOSE_SECONDS = 300;

/** Link to the processes of that moment. A wide bucket opens its own range, which shows the minute of the peak. */
function targetOf(serverId: string, at: number, end: number, { from, to, bucket_seconds: length }: TimeseriesAnswer) {
  const page = paths.server(serverId);
  if (length <= CLOSE_SECONDS) return `${page}?from=${Math.floor(from)}&to=${Math.ceil(to)}&at=${momentParameter(end)}`;
  return `${page}?from=${Math.floor(at - length / 2)}&to=${Math.ceil(Math.min(to, end + length / 2))}`;
}

/** Lists which server had the highest CPU, memory and disk of all in the range, and when: each leads there. */
export function HighestServers({ answer }: { answer: TimeseriesAnswer }) {
  const { from, to } = answer;
  const found = highestMoments(answer);
  if (found.length === 0) return null;
  return (
    <Row role="group" aria-label="Highest of any server">
      <span>Dashed: highest of any server</span>
      <ul>
        {found.map(({ name, value, at, end, server }) => (
          <li key={name}>
            {name} <Figure value={value.toFixed(1)} unit="%" />
            {server === null ? (
              <span>a server that is not known</span>
            ) : (
              <Link to={targetOf(server.server_id, at, end, answer)}>{escapeInvisible(server.name)}</Link>
            )}
            {momentName(at, to - from)}
          </li>
        ))}
      </ul>
    </Row>
  );
}
