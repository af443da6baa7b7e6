import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { SilenceOnWire } from '@plimsoll/contract/wire/alerts/alert-silences';
import { Chip } from '../../../components/chips.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { momentMs } from '../../../time/age.ts';
import { dayAndTime, fullMoment, zoneName } from '../../../time/zone.ts';
import { ButtonRow, Quiet } from '../../../components/form/form-parts.tsx';
import { ObjectOrigin } from '../object-origin.tsx';

/** A line with its buttons at the end. */
export const SilenceLine = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: '8px 12px',
  minHeight: 52,
  padding: '6px 16px',
  '& > div': { minWidth: 0, overflowWrap: 'anywhere' },
  '& b': { fontWeight: 600, marginRight: 8 },
  '&[data-over] b': { color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    paddingBlock: 10,
    '& .MuiButton-root': { minHeight: 44 },
  },
}));

const STATUS = { active: 'Active', pending: 'Starts later', expired: 'Ended' } as const;

/** "until 24 Nov 08:00 UTC, by mira: deploy". */
function periodWords({ starts_at: from, ends_at: to, status, created_by: by, comment }: SilenceOnWire): string {
  const end = momentMs(to) ?? 0;
  const start = status === 'pending' ? `from ${dayAndTime(momentMs(from) ?? 0)} ` : '';
  const until = `${start}until ${dayAndTime(end)} ${zoneName(end)}`;
  return `${until}${by === null ? '' : `, by ${by}`}${comment === '' ? '' : `: ${comment}`}`;
}

interface SilenceRowProps {
  silence: SilenceOnWire;
  /** False: a viewer reads only. */
  mayEdit: boolean;
  busy: boolean;
  onEdit: () => void;
  onEnd: () => void;
}

/** A silence: its matcher, end, author and reason. */
export function SilenceRow({ silence, mayEdit, busy, onEdit, onEnd }: SilenceRowProps) {
  const text = escapeInvisible(silence.text);
  const isManaged = silence.object !== null && silence.object !== undefined;
  const isOver = silence.status === 'expired';
  return (
    <SilenceLine aria-label={text} data-over={isOver ? '' : undefined}>
      <div>
        <b>{text}</b>
        <Chip>{STATUS[silence.status]}</Chip> {isManaged && <Chip>Read-only</Chip>}
        <br />
        <Quiet title={fullMoment(momentMs(silence.ends_at) ?? 0)}>{escapeInvisible(periodWords(silence))}</Quiet>
        <ObjectOrigin object={silence.object} />
      </div>
      {mayEdit && !isOver && !isManaged && (
        <ButtonRow>
          <Button variant="outlined" aria-label={`Edit the silence of ${text}`} onClick={onEdit}>
            Edit
          </Button>
          <Button
            variant="outlined"
            aria-label={`${silence.status === 'active' ? 'End' : 'Delete'} the silence of ${text}`}
            disabled={busy}
            onClick={onEnd}
          >
            {silence.status === 'active' ? 'End now' : 'Delete'}
          </Button>
        </ButtonRow>
      )}
    </SilenceLine>
  );
}
