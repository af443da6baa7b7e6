import { styled } from '@mui/material/styles';

/** Read out, not seen. */
export const VisuallyHidden = styled('span')({
  position: 'absolute',
  clipPath: 'inset(50%)',
  width: 1,
  height: 1,
  overflow: 'hidden',
  whiteSpace: 'nowrap',
});
