import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { IMPACT_WORDS, INCIDENT_STATE_WORDS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { StatusIncidentOnWire } from '@plimsoll/contract/wire/checks/status-incidents';
import { Chip } from '../../components/chips.tsx';
import { creatorWords } from '../../format/creator-words.ts';
import { escapeInvisible, escapeMessage } from '../../format/escape-invisible.ts';
import { momentMs } from '../../time/age.ts';
import { dayAndTime, zoneName } from '../../time/zone.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: '8px 16px',
  padding: '12px 16px',
  overflowWrap: 'anywhere',
  '& b': { fontWeight: 600, marginRight: 8 },
  '& p': { ...theme.typography.caption, margin: '2px 0 0', color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'start',
  gap: 8,
  [theme.breakpoints.down('sm')]: { '& .MuiButton-root': { minHeight: 40 } },
}));
const Updates = styled('ol')(({ theme }) => ({
  gridColumn: '1 / -1',
  display: 'grid',
  gap: 8,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: '2px 12px',
    paddingLeft: 12,
    borderLeft: `2px solid ${theme.vars.palette.divider}`,
  },
  '& > li > div': { flex: '1 1 240px', minWidth: 0, whiteSpace: 'pre-line' },
}));

const timeOf = (iso: string): string => {
  const at = momentMs(iso) ?? 0;
  return `${dayAndTime(at)} ${zoneName(at)}`;
};

interface IncidentRowProps {
  incident: StatusIncidentOnWire;
  /** Names of the affected parts. */
  affects: readonly string[];
  /** False: a viewer reads only. */
  mayEdit: boolean;
  busy: boolean;
  onUpdate: () => void;
  onCorrect: (update: StatusIncidentOnWire['updates'][number]) => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** An incident with its updates, newest first. */
export function IncidentRow(props: IncidentRowProps) {
  const { incident, affects, mayEdit } = props;
  const title = escapeInvisible(incident.title);
  const next = incident.next_update_at;
  const words = [
    `since ${timeOf(incident.started_at)}`,
    ...(incident.resolved_at === null ? [] : [`resolved ${timeOf(incident.resolved_at)}`]),
    affects.length === 0 ? 'affects no part' : `affects ${affects.join(', ')}`,
    ...(next === null || incident.resolved_at !== null ? [] : [`next update by ${timeOf(next)}`]),
    `made by ${creatorWords(incident.created_by)}`,
  ];
  return (
    <Row aria-label={title}>
      <div>
        <b>{title}</b>
        <Chip>{INCIDENT_STATE_WORDS[incident.state]}</Chip> <Chip>{IMPACT_WORDS[incident.impact]}</Chip>
        <p>{words.join(', ')}</p>
      </div>
      {mayEdit && (
        <Actions>
          <Button variant="outlined" aria-label={`Add update to ${title}`} onClick={props.onUpdate}>
            Add update
          </Button>
          <Button variant="outlined" aria-label={`Edit ${title}`} onClick={props.onEdit}>
            Edit
          </Button>
          <Button variant="outlined" aria-label={`Delete ${title}`} disabled={props.busy} onClick={props.onDelete}>
            Delete
          </Button>
        </Actions>
      )}
      <Updates>
        {incident.updates.map((update) => (
          <li key={update.update_id}>
            <div>
              <b>{INCIDENT_STATE_WORDS[update.state]}.</b>
              <span>{escapeMessage(update.text)}</span>
              <p>
                {timeOf(update.at)}, by {creatorWords(update.created_by)}
              </p>
            </div>
            {mayEdit && (
              <Button
                size="small"
                aria-label={`Correct the update of ${timeOf(update.at)}`}
                onClick={() => props.onCorrect(update)}
              >
                Correct
              </Button>
            )}
          </li>
        ))}
      </Updates>
    </Row>
  );
}
