import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { plural } from '../../../format/figures.ts';
import { SilenceButton } from '../../../components/silences/silence-button.tsx';
import type { Acting } from './use-acting.ts';
import { Check as CheckIcon, Close as CloseIcon } from '../../../components/icons/material.tsx';

const Bar = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: 'calc(56px + var(--moment-band, 0px))',
  zIndex: 2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  padding: '6px 16px',
  backgroundColor: theme.vars.palette.action.selected,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > strong': { fontWeight: 600 },
  '& > .clear': { marginRight: 'auto' },
  // The count fills a line with what clears it: one line is too short for all.
  [theme.breakpoints.down('sm')]: {
    '& > strong': { flexBasis: 'calc(100% - 56px)' },
    '& > button': { minHeight: 40 },
  },
}));

interface BulkBarProps {
  chosen: readonly string[];
  acting: Acting;
  onClear: () => void;
}

/** Actions on the ticked alerts. */
export function BulkBar({ chosen, acting, onClear }: BulkBarProps) {
  if (chosen.length === 0) return null;
  return (
    <Bar role="toolbar" aria-label="Ticked alerts">
      <strong>{plural(chosen.length, 'alert')} ticked</strong>
      <IconButton className="clear" aria-label="Clear the selection" onClick={onClear}>
        <CloseIcon />
      </IconButton>
      <Button
        variant="outlined"
        startIcon={<CheckIcon />}
        disabled={acting.busy}
        onClick={() => acting.act({ action: 'acknowledge', alert_ids: [...chosen] })}
      >
        Acknowledge
      </Button>
      <SilenceButton
        about={plural(chosen.length, 'alert')}
        disabled={acting.busy}
        onSilence={(end) => acting.act({ action: 'silence', alert_ids: chosen, ...end })}
      />
    </Bar>
  );
}
