import CheckIcon from '@mui/icons-material/Check';
import Button from '@mui/material/Button';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { SnoozeButton } from './snooze-button.tsx';
import type { Acting } from './use-acting.ts';

/** Acknowledge in one click, snooze in two. Nothing to do once an alert is resolved. */
export function ActButtons({ alert, acting }: { alert: Alert; acting: Acting }) {
  if (alert.status === 'resolved') return null;
  const ids = [alert.alert_id];
  const about = `${escapeInvisible(alert.message)} on ${escapeInvisible(alert.tags.hostname)}`;
  return (
    <>
      {alert.acknowledged_at === null && (
        <Button
          variant="outlined"
          startIcon={<CheckIcon />}
          disabled={acting.busy}
          aria-label={`Ack: acknowledge ${about}`}
          onClick={() => acting.act({ action: 'acknowledge', alert_ids: ids })}
        >
          Ack
        </Button>
      )}
      {alert.silenced_until === null && (
        <SnoozeButton
          about={about}
          disabled={acting.busy}
          onSnooze={(end) => acting.act({ action: 'silence', alert_ids: ids, ...end })}
        />
      )}
    </>
  );
}
