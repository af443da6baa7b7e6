import type { CheckDetail, CheckSeriesAnswer } from '@plimsoll/contract/wire/checks/checks';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { availabilityWords, certificateBand } from '../../format/check-words.ts';
import { durationText } from '../../format/duration-text.ts';
import { numberText, plural } from '../../format/figures.ts';
import { dayAndTime } from '../../time/zone.ts';

/** "99.92"; 100 only for a time without any outage. */
function percentText(percent: number | null): string | null {
  if (percent === null) return null;
  return percent === 100 ? '100' : Math.min(99.99, percent).toFixed(2);
}

function availabilityTile(check: CheckDetail, days: number) {
  const found = check.availability.find((one) => one.days === days);
  const percent = found?.percent ?? null;
  return (
    <StatTile
      label={days === 1 ? 'Up, 24 hours' : `Up, ${String(days)} days`}
      value={percentText(percent)}
      unit="%"
      reason="Nothing is known yet"
      fact={availabilityWords(found)}
    />
  );
}

/** The five figures of a check. What is unknown is N/A with its reason. */
export function CheckTiles({ check, series }: { check: CheckDetail; series: CheckSeriesAnswer | undefined }) {
  const { certificate_days: days, votes, needed, heartbeat, last_call: call } = check;
  const up = votes.filter(({ vote }) => vote === 'up').length;
  const line = check.slow_line_ms;
  const p95 = series?.points.findLast(({ p95_ms: value }) => value !== null)?.p95_ms ?? null;
  const ends = check.certificate === null ? null : check.certificate.ends_at * 1000;
  return (
    <StatGrid sx={{ '--columns': 5 }}>
      {heartbeat === null ? (
        <StatTile
          label="Response"
          value={numberText(check.total_ms)}
          unit="ms"
          reason={check.status === 'down' ? 'No place has a good answer now' : 'No result yet'}
          aside={line === null ? undefined : `line ${numberText(line) ?? ''}`}
          fact={p95 === null ? undefined : `p95 ${numberText(p95) ?? ''} ms`}
          {...(line !== null && p95 !== null && p95 >= line ? { band: 'over' as const, marked: true } : {})}
        />
      ) : (
        <StatTile
          label="Last run"
          value={call?.duration_seconds == null ? null : numberText(call.duration_seconds)}
          unit="s"
          reason={call === null ? 'No call yet' : 'The job reports no start'}
          fact={call === null ? undefined : `called ${dayAndTime(Date.parse(call.at))}`}
        />
      )}
      {availabilityTile(check, 30)}
      {availabilityTile(check, 90)}
      {heartbeat === null ? (
        <StatTile
          label="Certificate"
          value={numberText(days)}
          unit="days"
          reason={check.kind === 'http' || check.kind === 'tls' ? 'No certificate was seen' : 'This check uses no TLS'}
          band={certificateBand(days)}
          marked={certificateBand(days) !== 'ok'}
          fact={ends === null ? undefined : `ends ${dayAndTime(ends)}`}
        />
      ) : (
        <StatTile
          label="Next call"
          value={check.due_at === null ? null : dayAndTime(Date.parse(check.due_at))}
          reason="The schedule has no next run"
          fact={`grace ${durationText(heartbeat.grace_seconds)}`}
        />
      )}
      {heartbeat === null ? (
        <StatTile
          label="Votes"
          value={numberText(up)}
          unit={`of ${String(votes.length)} up`}
          band={check.status === 'down' ? 'over' : 'ok'}
          fact={`down needs ${plural(needed, 'vote')}`}
        />
      ) : (
        <StatTile
          label="Outages, 90 days"
          value={numberText(check.outages.filter(({ kind }) => kind === 'down').length)}
        />
      )}
    </StatGrid>
  );
}
