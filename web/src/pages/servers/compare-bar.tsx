import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import { MOST_COMPARED, type Compared } from './compared.ts';
import { CompareArrowsOutlined as CompareArrowsIcon } from '../../components/icons/pages.tsx';

const Bar = styled(Paper)(({ theme }) => ({
  position: 'sticky',
  bottom: 12,
  // Below the charts it would cover them; they are long, and nothing is ticked there.
  '&[data-open]': { position: 'static' },
  zIndex: 2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  padding: '8px 16px',
  backgroundColor: theme.vars.palette.action.selected,
  '& > span': { marginRight: 'auto' },
  [theme.breakpoints.down('sm')]: { padding: '8px 12px', '& button': { minHeight: 40 } },
}));

/** Number of ticked servers, with links to their charts and back. */
export function CompareBar({ compared, onChange }: { compared: Compared; onChange: (next: Compared) => void }) {
  const { ids, open } = compared;
  if (ids.length === 0) return null;
  const full = ids.length === MOST_COMPARED;
  return (
    <Bar role="region" aria-label="Compare servers" data-open={open ? '' : undefined}>
      <span role="status">
        {ids.length} of {MOST_COMPARED} servers chosen{full ? '. Remove one to choose another.' : ''}
      </span>
      <Button variant="outlined" onClick={() => onChange({ ids: [], open: false })}>
        Clear
      </Button>
      <Button variant="contained" startIcon={<CompareArrowsIcon />} onClick={() => onChange({ ids, open: !open })}>
        {open ? 'Back to the fleet' : 'Compare'}
      </Button>
    </Bar>
  );
}
