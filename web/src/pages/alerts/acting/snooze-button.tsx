import NotificationsPausedIcon from '@mui/icons-material/NotificationsPausedOutlined';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { tomorrowMorning } from '../../../time/snooze-end.ts';
import { SnoozeDialog } from './snooze-dialog.tsx';

const HOUR_SECONDS = 3600;
/** The end of a snooze, as the API takes it. */
export type SnoozeEnd = { duration_seconds: number } | { ends_at: string; comment?: string };

interface SnoozeButtonProps {
  /** The snoozed alert, for screen readers. */
  about: string;
  disabled: boolean;
  onSnooze: (end: SnoozeEnd) => void;
}

/** Two clicks: the button, then the end. */
export function SnoozeButton({ about, disabled, onSnooze }: SnoozeButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isCustom, setCustom] = useState(false);
  const choose = (end: SnoozeEnd) => {
    setAnchor(null);
    setCustom(false);
    onSnooze(end);
  };
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<NotificationsPausedIcon />}
        disabled={disabled}
        aria-haspopup="menu"
        aria-label={`Snooze ${about}`}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Snooze
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
      {isCustom && <SnoozeDialog about={about} onClose={() => setCustom(false)} onSnooze={choose} />}
    </>
  );
}
