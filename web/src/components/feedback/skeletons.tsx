import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import { styled } from '@mui/material/styles';

const Card = styled(Paper)(({ theme }) => ({
  minHeight: 190,
  padding: 14,
  display: 'grid',
  gap: 8,
  alignContent: 'start',
  '& > .row': { display: 'flex', justifyContent: 'space-between', gap: 16 },
  '& > hr': { width: '100%', border: 0, borderTop: `1px solid ${theme.vars.palette.divider}`, margin: '4px 0' },
}));

/** A server card before its figures: same size, so nothing jumps. */
export function ServerCardSkeleton() {
  return (
    <Card aria-hidden>
      <div className="row">
        <Skeleton width={96} height={14} />
        <Skeleton width={52} height={14} />
      </div>
      <div className="row">
        <Skeleton width={120} height={10} />
        <Skeleton width={72} height={10} />
      </div>
      <Skeleton width={140} height={10} />
      {[0, 1, 2].map((row) => (
        <div key={row} className="row">
          <Skeleton width={36} height={10} />
          <Skeleton width="60%" height={6} />
          <Skeleton width={32} height={10} />
        </div>
      ))}
      <hr />
      <Skeleton width={120} height={12} />
    </Card>
  );
}

const Line = styled('div')({ display: 'flex', alignItems: 'center', gap: 12, padding: '0 16px' });

/** Rows of a list or a table before they are there. */
export function RowsSkeleton({ rows, height }: { rows: number; height: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Line key={row} style={{ height }}>
          <Skeleton width={16} height={16} />
          <Skeleton width="45%" height={12} />
          <Skeleton width="12%" height={12} style={{ marginLeft: 'auto' }} />
        </Line>
      ))}
    </div>
  );
}
