import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { TOUCH } from '../screen.ts';

/** The name of a process, which opens its details below. */
export const Opener = styled(ButtonBase)(({ theme }) => ({
  font: 'inherit',
  fontWeight: 600,
  gap: 2,
  maxWidth: '100%',
  minHeight: 28,
  justifyContent: 'flex-start',
  '& > svg': { fontSize: 16, flex: 'none', color: theme.vars.palette.load.text3 },
  '&[aria-expanded="true"] > svg': { transform: 'rotate(180deg)' },
  '& > span': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
  [TOUCH]: { minHeight: 40 },
  '&.Mui-focusVisible': { outline: `2px solid ${theme.vars.palette.info.main}`, borderRadius: 4 },
}));
