import CircularProgress from '@mui/material/CircularProgress';
import { styled } from '@mui/material/styles';

const Middle = styled('div')({ display: 'grid', placeItems: 'center', minHeight: '60vh' });

/** A whole page that is not there yet. */
export function PageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Middle>
      <CircularProgress color="info" size={28} aria-label={label} />
    </Middle>
  );
}
