import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Suspense, useState } from 'react';
import { isAcknowledged } from '../../../format/incident-words.ts';
import { isSilenced, openIds, type AlertsRow } from '../../../format/incident-rows.ts';
import { tomorrowMorning } from '../../../time/silence-end.ts';
import { loadSilenceDialog, SilenceEndDialog } from '../../../components/silences/load-silence-dialog.tsx';
import type { SilenceEnd } from '../../../components/silences/silence-button.tsx';
import { aboutRow } from '../list/about-row.ts';
import type { Acting } from './use-acting.ts';
import { MoreVert as MoreVertIcon } from '../../../components/icons/pages.tsx';

/** One button for all that can be done about a row: a narrow screen has room for no more. */
export function ActMenu({ row, acting }: { row: AlertsRow; acting: Acting }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isCustom, setCustom] = useState(false);
  const ids = openIds(row);
  const about = aboutRow(row);
  const acknowledges = !isAcknowledged(row);
  const silences = !isSilenced(row);
  if (ids.length === 0 || (!acknowledges && !silences)) return null;
  const silence = (end: SilenceEnd) => {
    setAnchor(null);
    setCustom(false);
    acting.act({ action: 'silence', alert_ids: ids, ...end });
  };
  return (
    <>
      <IconButton
        aria-label={`Actions for ${about}`}
        aria-haspopup="menu"
        disabled={acting.busy}
        sx={{ width: 40, height: 40 }}
        onClick={(event) => {
          loadSilenceDialog();
          setAnchor(event.currentTarget);
        }}
      >
        <MoreVertIcon />
      </IconButton>
      {anchor !== null && (
        <Menu anchorEl={anchor} open onClose={() => setAnchor(null)} transitionDuration={0}>
          {acknowledges && (
            <MenuItem
              onClick={() => {
                setAnchor(null);
                acting.act({ action: 'acknowledge', alert_ids: ids });
              }}
            >
              Acknowledge
            </MenuItem>
          )}
          {silences && <MenuItem onClick={() => silence({ duration_seconds: HOUR_SECONDS })}>Silence for 1 h</MenuItem>}
          {silences && (
            <MenuItem onClick={() => silence({ ends_at: new Date(tomorrowMorning(Date.now())).toISOString() })}>
              Silence until tomorrow 08:00
            </MenuItem>
          )}
          {silences && (
            <MenuItem
              onClick={() => {
                setAnchor(null);
                setCustom(true);
              }}
            >
              Silence until another time
            </MenuItem>
          )}
        </Menu>
      )}
      <Suspense fallback={null}>
        {isCustom && <SilenceEndDialog about={about} onClose={() => setCustom(false)} onSilence={silence} />}
      </Suspense>
    </>
  );
}
