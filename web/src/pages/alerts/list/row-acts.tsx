import { Check as CheckIcon } from '../../../components/icons/material.tsx';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { isAcknowledged } from '../../../format/incident-words.ts';
import { isSilenced, openIds, type GroupRow, type IncidentRow } from '../../../format/incident-rows.ts';
import { SilenceButton } from '../../../components/silences/silence-button.tsx';
import type { Acting } from '../acting/use-acting.ts';
import { aboutRow } from './about-row.ts';

/** Acknowledges all alerts of an incident in one click. Nothing to do once they are acknowledged or resolved. */
export function AcknowledgeButton({ row, acting }: { row: IncidentRow; acting: Acting }) {
  const ids = openIds(row);
  if (ids.length === 0 || isAcknowledged(row)) return null;
  const name = `Acknowledge ${aboutRow(row)}`;
  return (
    <IconButton
      aria-label={name}
      title="Acknowledge"
      disabled={acting.busy}
      sx={{ width: 32, height: 32 }}
      onClick={() => acting.act({ action: 'acknowledge', alert_ids: ids })}
    >
      <CheckIcon />
    </IconButton>
  );
}

/** Acknowledge in one click, silence in two, for all alerts of a group: one call and one entry of the audit log. */
export function GroupActs({ row, acting }: { row: GroupRow; acting: Acting }) {
  const ids = openIds(row);
  const about = aboutRow(row);
  return (
    <>
      {!isAcknowledged(row) && (
        <Button
          variant="outlined"
          startIcon={<CheckIcon />}
          disabled={acting.busy}
          aria-label={`Acknowledge all: ${about}`}
          onClick={() => acting.act({ action: 'acknowledge', alert_ids: ids })}
        >
          Acknowledge all
        </Button>
      )}
      {!isSilenced(row) && (
        <SilenceButton
          about={about}
          label="Silence all"
          disabled={acting.busy}
          onSilence={(end) => acting.act({ action: 'silence', alert_ids: ids, ...end })}
        />
      )}
    </>
  );
}
