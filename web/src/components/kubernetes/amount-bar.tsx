import { styled } from '@mui/material/styles';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import { CapacityBar } from '../fleet/capacity-bar.tsx';
import { USAGE_LINE } from './kubernetes-words.ts';
import { NotAvailable } from './usage.tsx';

const Box = styled('span')(({ theme }) => ({
  display: 'grid',
  gap: 6,
  minWidth: 0,
  '& .figures': { display: 'flex', flexWrap: 'wrap', gap: '0 6px', justifyContent: 'space-between' },
  '& b': { fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
  '& small': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
}));

export const WHY_NO_USE = 'no pod of these has reported its usage';

interface AmountBarProps {
  label: string;
  used: number | null;
  request: number | null;
  /** Null: not every pod has one, so the sum is no bound. */
  limit: number | null;
  textOf: (amount: number | null) => string | null;
}

/** Use as a share of the limit, else of the request, against the load line of that share. */
export function AmountBar({ label, used, request, limit, textOf }: AmountBarProps) {
  const whole = limit ?? request;
  const of = limit === null ? 'request' : 'limit';
  const percent = percentOf(used, whole);
  return (
    <Box>
      <span className="figures">
        <span>{label}</span>
        <span>
          <b>{textOf(used) ?? <NotAvailable reason={WHY_NO_USE} />}</b>{' '}
          <small>{whole === null ? 'no request and no limit' : `of ${of} ${textOf(whole) ?? ''}`}</small>
        </span>
      </span>
      {percent !== null && <CapacityBar name={`${label} of its ${of}`} value={percent} line={USAGE_LINE} />}
    </Box>
  );
}
