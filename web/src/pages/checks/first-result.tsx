import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { styled } from '@mui/material/styles';
import type { CheckPreviewAnswer } from '@plimsoll/contract/wire/checks/checks';
import { BandIcon, StatusIcon } from '../../components/status-icons.tsx';
import { reasonWords } from '../../format/check-words.ts';
import { numberText, plural } from '../../format/figures.ts';

const Line = styled('p')(({ theme }) => ({
  margin: 0,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  '& > b': { display: 'inline-flex', alignItems: 'center', gap: 6, fontWeight: 600 },
  '&[data-band="over"] > b': { color: theme.vars.palette.load.overText },
  '& > span': {
    ...theme.typography.caption,
    color: theme.vars.palette.text.secondary,
    fontVariantNumeric: 'tabular-nums',
  },
}));

/** The first result, before the check is saved: its verdict, the phases, the certificate. */
export function FirstResult({ result, nowMs }: { result: CheckPreviewAnswer['result']; nowMs: number }) {
  const phases = [
    ['DNS', result.dns_ms],
    ['Connect', result.connect_ms],
    ['TLS', result.tls_ms],
    ['Wait', result.wait_ms],
    ['Transfer', result.transfer_ms],
  ] as const;
  const { certificate } = result;
  const days = certificate === null ? null : Math.floor((certificate.ends_at - nowMs / 1000) / DAY_SECONDS);
  return (
    <Line data-band={result.ok ? 'ok' : 'over'} aria-live="polite">
      <b>
        {result.ok ? <StatusIcon status="active" size={9} /> : <BandIcon band="over" />}
        {result.ok ? 'Good' : `Not good: ${reasonWords(result.reason, result.status, result.failed_phase)}`}
      </b>
      {result.status !== null && <span>HTTP {result.status}</span>}
      {phases.map(([name, ms]) => ms !== null && <span key={name}>{`${name} ${numberText(ms) ?? ''} ms`}</span>)}
      {result.total_ms !== null && <span>{`${numberText(result.total_ms) ?? ''} ms in all`}</span>}
      {days !== null && <span>{`certificate ends in ${plural(days, 'day')}`}</span>}
      {result.answer !== null && <span>{result.answer}</span>}
    </Line>
  );
}
