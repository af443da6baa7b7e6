import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Value = styled('span')({ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' });
const Unit = styled('span')(({ theme }) => ({
  marginLeft: '.18em',
  fontSize: '.85em',
  fontWeight: 400,
  color: theme.vars.palette.load.text3,
}));
const Missing = styled('span')(({ theme }) => ({ color: theme.vars.palette.load.text3, fontWeight: 400 }));

interface FigureProps {
  /** Already formatted; null is not available. */
  value: string | null;
  unit?: string;
  /** Why there is no value: "macOS", "first report pending". */
  reason?: string | null | undefined;
}

/** A number with its unit, or N/A with its reason. Never nought for the unknown. */
export function Figure({ value, unit, reason }: FigureProps): ReactNode {
  if (value === null) {
    return <Missing title={reason ?? undefined}>{reason ? `N/A, ${reason}` : 'N/A'}</Missing>;
  }
  return (
    <Value>
      {value}
      {unit !== undefined && <Unit>{unit}</Unit>}
    </Value>
  );
}
