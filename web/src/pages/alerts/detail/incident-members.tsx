import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import type { IncidentAnswer } from '@plimsoll/contract/wire/incidents';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { incidentQuery } from '../../../api/alerts.ts';
import { useQuery } from '../../../api/query.ts';
import { Age } from '../../../components/age.tsx';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { ExplainButton } from '../../../components/explain-button.tsx';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { LevelIcon, ResolvedIcon } from '../../../components/status-icons.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { plural } from '../../../format/figures.ts';
import { momentMs } from '../../../time/age.ts';
import { Quiet } from '../form-parts.tsx';

type Member = IncidentAnswer['incident']['members'][number];

/** An incident has up to 1,000 alerts; a button shows more than these. */
const SHOWN = 20;

const Part = styled('section')(({ theme }) => ({
  minWidth: 0,
  marginBottom: 16,
  '& > header': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 12px', marginBottom: 4 },
  '& h3': { ...theme.typography.caption, margin: 0, flex: 1, color: theme.vars.palette.load.text3 },
  '& ol': { listStyle: 'none', margin: 0, padding: 0, borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& li': { borderBottom: `1px solid ${theme.vars.palette.divider}` },
}));
const Row = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 2fr) minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: '0 12px',
  width: '100%',
  minHeight: 32,
  textAlign: 'left',
  overflowWrap: 'anywhere',
  '& > .quiet': { color: theme.vars.palette.load.text3 },
  '&[data-muted]': { color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: '16px minmax(0, 1fr) auto',
    minHeight: 44,
    '& > .where': { gridColumn: 2, gridRow: 2 },
  },
}));

interface MemberRowProps {
  member: Member;
  isOpen: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function MemberRow({ member, isOpen, onToggle, children }: MemberRowProps) {
  const resolved = momentMs(member.resolved_at);
  return (
    <li>
      <Row data-muted={resolved === null ? undefined : ''} aria-expanded={isOpen} onClick={onToggle}>
        {resolved === null ? <LevelIcon level={member.level} /> : <ResolvedIcon />}
        <span>
          <VisuallyHidden>{resolved === null ? LEVEL_NAME[member.level] : 'Resolved'}: </VisuallyHidden>
          {escapeInvisible(member.message)}
        </span>
        <span className="where quiet">{escapeInvisible(member.hostname ?? member.subject)}</span>
        <span className="quiet">
          {resolved !== null && 'resolved '}
          <Age at={resolved ?? momentMs(member.opened_at)} form="short" />
        </span>
      </Row>
      {isOpen && children}
    </li>
  );
}

interface IncidentMembersProps {
  incidentId: string;
  /** The cause, whose row this list is in. */
  causeId: string;
  /** Draws an opened member. */
  renderMember: (alertId: string) => ReactNode;
}

/** The other alerts of an incident, open ones first. Its cause explains them, so no message is sent for them. */
export function IncidentMembers({ incidentId, causeId, renderMember }: IncidentMembersProps) {
  const asked = useQuery(incidentQuery(incidentId));
  const [opened, setOpened] = useState('');
  const [areAllShown, setAllShown] = useState(false);
  const members = (asked.data?.incident.members ?? [])
    .filter((member) => member.alert_id !== causeId && member.folded)
    .toSorted((a, b) => Number(a.resolved_at !== null) - Number(b.resolved_at !== null));
  const shown = areAllShown ? members : members.slice(0, SHOWN);
  return (
    <Part aria-label="Below it">
      <header>
        <h3>Below it: not sent by themselves</h3>
        <ExplainButton
          question="What caused this incident?"
          subject={{ kind: 'incident', incident_id: incidentId }}
          label="Explain incident"
        />
      </header>
      {asked.isPending && <RowsSkeleton rows={3} height={32} />}
      <Failure asked={asked} />
      {shown.length > 0 && (
        <ol>
          {shown.map((member) => (
            <MemberRow
              key={member.alert_id}
              member={member}
              isOpen={member.alert_id === opened}
              onToggle={() => setOpened(member.alert_id === opened ? '' : member.alert_id)}
            >
              {renderMember(member.alert_id)}
            </MemberRow>
          ))}
        </ol>
      )}
      {asked.data !== undefined && members.length === 0 && <Quiet>None any more.</Quiet>}
      {members.length > shown.length && (
        <Button variant="text" onClick={() => setAllShown(true)}>
          Show all {plural(members.length, 'alert')}
        </Button>
      )}
    </Part>
  );
}
