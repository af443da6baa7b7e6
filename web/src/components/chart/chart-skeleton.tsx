import Skeleton from '@mui/material/Skeleton';

/** Grid and names of a chart that is still to come, as high as it will be. */
export function ChartSkeleton({ height }: { height: number }) {
  return (
    <div style={{ height, padding: '24px 10px' }} aria-label="Loading" role="status">
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} variant="text" width="100%" height={1} style={{ marginBottom: (height - 72) / 4 }} />
      ))}
      <span style={{ display: 'flex', justifyContent: 'space-between' }}>
        <Skeleton width={28} height={10} />
        <Skeleton width={28} height={10} />
        <Skeleton width={28} height={10} />
      </span>
    </div>
  );
}
