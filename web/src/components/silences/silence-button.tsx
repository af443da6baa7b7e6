import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Suspense, useState } from 'react';
import { NotificationsPausedOutlined as NotificationsPausedIcon } from '../icons/pages.tsx';
import { tomorrowMorning } from '../../time/silence-end.ts';
import { loadSilenceDialog, SilenceEndDialog } from './load-silence-dialog.tsx';

/** The end of a silence, as the API takes it. */
export type SilenceEnd = { duration_seconds: number } | { ends_at: string; comment?: string };

interface SilenceButtonProps {
  /** The silenced alert, for screen readers. */
  about: string;
  label?: string;
  disabled: boolean;
  onSilence: (end: SilenceEnd) => void;
}

/** Two clicks: the button, then the end. */
export function SilenceButton({ about, label = 'Silence', disabled, onSilence }: SilenceButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isCustom, setCustom] = useState(false);
  const choose = (end: SilenceEnd) => {
    setAnchor(null);
    setCustom(false);
    onSilence(end);
  };
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<NotificationsPausedIcon />}
        disabled={disabled}
        aria-haspopup="menu"
        aria-label={`${label} ${about}`}
        onClick={(event) => {
          loadSilenceDialog();
          setAnchor(event.currentTarget);
        }}
      >
        {label}
      </Button>
      {anchor !== null && (
        <Menu anchorEl={anchor} open onClose={() => setAnchor(null)} transitionDuration={0}>
          <MenuItem onClick={() => choose({ duration_seconds: HOUR_SECONDS })}>1 h</MenuItem>
          <MenuItem onClick={() => choose({ ends_at: new Date(tomorrowMorning(Date.now())).toISOString() })}>
            Until tomorrow 08:00
          </MenuItem>
          <MenuItem
            onClick={() => {
              setAnchor(null);
              setCustom(true);
            }}
          >
            Custom
          </MenuItem>
        </Menu>
      )}
      <Suspense fallback={null}>
        {isCustom && <SilenceEndDialog about={about} onClose={() => setCustom(false)} onSilence={choose} />}
      </Suspense>
    </>
  );
}
