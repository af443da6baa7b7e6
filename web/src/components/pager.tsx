import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { numberText } from '../format/figures.ts';
import { ChevronLeft as ChevronLeftIcon, ChevronRight as ChevronRightIcon } from './icons/material.tsx';

const Bar = styled('nav')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'flex-end',
  gap: 8,
  minHeight: 40,
  padding: '0 12px 0 16px',
  color: theme.vars.palette.load.text3,
  fontVariantNumeric: 'tabular-nums',
}));

interface PagerProps {
  /** Index of the first row shown, from 0. */
  offset: number;
  /** Rows of one page. */
  limit: number;
  total: number;
  onOffset: (offset: number) => void;
}

/** "1–100 of 5,000": the server holds the pages, the browser one of them. */
export function Pager({ offset, limit, total, onOffset }: PagerProps) {
  const last = Math.min(total, offset + limit);
  return (
    <Bar aria-label="Pages">
      <span aria-live="polite">
        {total === 0 ? 0 : `${numberText(offset + 1)}–${numberText(last)}`} of {numberText(total)}
      </span>
      {total > limit && (
        <>
          <IconButton
            aria-label="Previous page"
            disabled={offset === 0}
            onClick={() => onOffset(Math.max(0, offset - limit))}
          >
            <ChevronLeftIcon />
          </IconButton>
          <IconButton aria-label="Next page" disabled={last >= total} onClick={() => onOffset(offset + limit)}>
            <ChevronRightIcon />
          </IconButton>
        </>
      )}
    </Bar>
  );
}
