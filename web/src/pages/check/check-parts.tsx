import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { CheckDetail, CheckVote } from '@plimsoll/contract/wire/checks/checks';
import { Age } from '../../components/age.tsx';
import { CheckBars } from '../../components/checks/check-status.tsx';
import { DayBars } from '../../components/checks/day-bars.tsx';
import { Facts } from '../../components/facts.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Region } from '../../components/flag.tsx';
import { Panel, PanelBody, Rows } from '../../components/panel.tsx';
import { BandIcon, StatusIcon } from '../../components/status-icons.tsx';
import { certificateLeft, reasonWords } from '../../format/check-words.ts';
import { durationText } from '../../format/duration-text.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { ageText, momentMs } from '../../time/age.ts';
import { shortDateWords } from '../../time/calendar-date.ts';
import { day, dayAndTime } from '../../time/zone.ts';

const VoteRow = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: '2px 12px',
  padding: '10px 16px',
  '& .name': { display: 'flex', alignItems: 'center', gap: 8, fontWeight: 600, minWidth: 0 },
  '& .vote': { display: 'inline-flex', alignItems: 'center', gap: 6 },
  '& .vote[data-vote="down"]': { color: theme.vars.palette.load.overText },
  '& .vote[data-vote="none"]': { color: theme.vars.palette.load.text3 },
  '& .bars': { alignSelf: 'center', minWidth: 0 },
  '& small': { gridColumn: '1 / -1', ...theme.typography.caption, color: theme.vars.palette.load.text3 },
  '& .ms': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
}));
const VOTES = { up: 'votes up', down: 'votes down', none: 'no vote' } as const;

function Vote({ vote, barSeconds }: { vote: CheckVote; barSeconds: number }) {
  const { name, region, server_id: server, reason, total_ms: ms } = vote;
  return (
    <VoteRow>
      <span className="name">
        <Region region={region} />
        {server === null ? escapeInvisible(name) : <Link to={paths.server(server)}>{escapeInvisible(name)}</Link>}
      </span>
      <span className="vote" data-vote={vote.vote}>
        {vote.vote === 'up' && <StatusIcon status="active" size={9} />}
        {vote.vote === 'down' && <BandIcon band="over" />}
        {vote.vote === 'none' && <StatusIcon status="offline" size={10} />}
        {VOTES[vote.vote]}
      </span>
      <span className="bars">
        <CheckBars bars={vote.bars} seconds={barSeconds} />
      </span>
      <span className="ms">{ms === null || vote.vote === 'none' ? 'N/A' : `${numberText(ms) ?? ''} ms`}</span>
      <small>
        <Age at={momentMs(vote.voted_at)} prefix="voted " never="never voted" />
        {reason !== null && `, ${reasonWords(reason)}`}
      </small>
    </VoteRow>
  );
}

export function CheckVotes({ check }: { check: CheckDetail }) {
  const bars = check.votes[0]?.bars.length ?? 0;
  return (
    <Panel
      title={`Votes of ${plural(check.votes.length, 'place')}`}
      note={`down needs ${String(check.needed)}; last ${durationText(bars * check.bar_seconds)}`}
    >
      <Rows aria-label="Votes">
        {check.votes.map((vote) => (
          <Vote key={vote.server_id ?? 'api'} vote={vote} barSeconds={check.bar_seconds} />
        ))}
      </Rows>
    </Panel>
  );
}

const DayFoot = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  justifyContent: 'space-between',
  margin: '4px 0 0',
  color: theme.vars.palette.load.text3,
}));

export function CheckDays({ check, now }: { check: CheckDetail; now: number }) {
  const bad = check.days.filter(({ down_seconds: down }) => down > 0).length;
  const first = check.days[0];
  return (
    <Panel
      title="90 days"
      note="each bar a day, the high ones with an outage"
      actions={`${plural(bad, 'day')} with an outage`}
    >
      <PanelBody>
        <DayBars days={check.days} since={Date.parse(check.created_at)} now={now} />
        <DayFoot>
          <span>{shortDateWords(first?.date ?? null)}</span>
          <span>today</span>
        </DayFoot>
      </PanelBody>
    </Panel>
  );
}

const Scroll = styled('div')({ overflowX: 'auto', '& td, & th': { whiteSpace: 'nowrap', padding: '8px 16px' } });

/** Every new or changed check is unknown for the seconds until its places have voted. */
const SHORT_MS = 120_000;
const isShown = ({ kind, began_at: began, ended_at: ended }: CheckDetail['outages'][number]): boolean =>
  kind === 'down' || ended === null || Date.parse(ended) - Date.parse(began) >= SHORT_MS;

/** "Down" and "unknown" stretches, newest first; unknown time is not counted as down. */
export function CheckOutages({ check }: { check: CheckDetail }) {
  const shown = check.outages.filter(isShown);
  return (
    <Panel
      title="Outages"
      note={`${plural(check.outages.filter(({ kind }) => kind === 'down').length, 'outage')} in 90 days`}
    >
      {shown.length === 0 ? (
        <EmptyState sentence="No outage in the last 90 days" />
      ) : (
        <Scroll tabIndex={0} role="region" aria-label="Outages">
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>Began</TableCell>
                <TableCell align="right">Lasted</TableCell>
                <TableCell>State</TableCell>
                <TableCell>Failed</TableCell>
                <TableCell>Answer</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {shown.slice(0, 20).map((outage) => {
                const began = Date.parse(outage.began_at);
                const ended = momentMs(outage.ended_at);
                const isDown = outage.kind === 'down';
                return (
                  <TableRow key={outage.outage_id}>
                    <TableCell>{dayAndTime(began)}</TableCell>
                    <TableCell align="right">{ended === null ? 'goes on' : ageText((ended - began) / 1000)}</TableCell>
                    <TableCell>{isDown ? 'down' : 'unknown'}</TableCell>
                    <TableCell>
                      {isDown && check.heartbeat === null ? `${String(outage.failed)} of ${String(outage.voted)}` : '–'}
                    </TableCell>
                    <TableCell>
                      {isDown
                        ? reasonWords(outage.reason, outage.http_status, outage.phase)
                        : check.heartbeat === null
                          ? 'too few places voted'
                          : 'waits for its first call'}
                    </TableCell>
                  </TableRow>
                );
              })}
            </TableBody>
          </Table>
        </Scroll>
      )}
    </Panel>
  );
}

const Output = styled('pre')({ margin: 0, padding: 16, overflow: 'auto', maxHeight: 240, whiteSpace: 'pre-wrap' });

/** The certificate, or the last call of a heartbeat. */
export function CheckEvidence({ check }: { check: CheckDetail }) {
  const { certificate, last_call: call } = check;
  if (check.heartbeat !== null)
    return (
      <Panel title="Last output" note={call === null ? undefined : dayAndTime(Date.parse(call.at))}>
        {call?.output == null ? (
          <EmptyState sentence={call === null ? 'No call yet' : 'The last call had no body'} />
        ) : (
          <Output tabIndex={0}>{escapeInvisible(call.output)}</Output>
        )}
      </Panel>
    );
  if (certificate === null) return null;
  return (
    <Panel title="Certificate" note={certificateLeft(check.certificate_days)}>
      <Facts
        facts={[
          { name: 'Name', value: escapeInvisible(certificate.names.join(', ') || certificate.subject) },
          { name: 'Issued by', value: escapeInvisible(certificate.issuer) || null },
          { name: 'Ends', value: dayAndTime(certificate.ends_at * 1000) },
          { name: 'Valid from', value: day(certificate.starts_at * 1000) },
          { name: 'Chain', value: plural(certificate.chain, 'certificate') },
          { name: 'Key', value: certificate.key },
        ]}
      />
    </Panel>
  );
}
