import { styled } from '@mui/material/styles';
import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentParameter } from '../../time/moment.ts';
import { Figure } from '../figure.tsx';
import { highestMoments } from './points/highest-moments.ts';
import { peakSecond, peakTime } from './points/peak-moment.ts';
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

type Highest = ReturnType<typeof highestMoments>[number];

/** Link to the processes of that moment. Where it is not known, a wide bucket opens its own range, which shows it. */
function targetOf(serverId: string, { at, end, peak }: Highest, answer: TimeseriesAnswer) {
  const { from, to, bucket_seconds: length } = answer;
  const page = paths.server(serverId);
  const isMinute = peak !== null && peak.step_seconds <= CLOSE_SECONDS;
  if (length <= CLOSE_SECONDS) {
    const moment = isMinute ? peakSecond(peak) : end;
    return `${page}?from=${Math.floor(from)}&to=${Math.ceil(to)}&at=${momentParameter(moment)}`;
  }
  if (isMinute) return paths.serverAt(serverId, peakSecond(peak), to * 1000);
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
        {found.map((one) => {
          const { name, value, at, server, peak } = one;
          const time = peak === null ? momentName(at, to - from) : peakTime(peak, to - from);
          return (
            <li key={name}>
              {name} <Figure value={value.toFixed(1)} unit="%" />
              {server === null ? (
                <span>a server that is not known</span>
              ) : (
                <Link to={targetOf(server.server_id, one, answer)}>{escapeInvisible(server.name)}</Link>
              )}
              {time}
            </li>
          );
        })}
      </ul>
    </Row>
  );
}
