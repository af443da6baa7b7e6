import Button from '@mui/material/Button';
import type { IncidentAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { incidentQuery } from '../../../api/alerts.ts';
import { useQuery } from '../../../api/query.ts';
import { ExplainButton } from '../../../components/explain-button.tsx';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { escapeInvisible, escapeMessage } from '../../../format/escape-invisible.ts';
import { plural } from '../../../format/figures.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { momentMs } from '../../../time/age.ts';
import { Quiet } from '../../../components/form/form-parts.tsx';
import { PartList, PartRow } from './part-row.tsx';

type Member = IncidentAnswer['incident']['members'][number];

/** An incident has up to 1,000 alerts; a button shows more than these. */
const SHOWN = 20;

function Where({ member: { server_id: id, hostname, subject } }: { member: Member }) {
  const name = escapeInvisible(hostname ?? subject);
  return id === null ? name : <Link to={paths.server(id)}>{name}</Link>;
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
    <PartList aria-label="Caused by it">
      <header>
        <h3>Caused by it: not sent by themselves</h3>
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
            <PartRow
              key={member.alert_id}
              level={member.level}
              isResolved={member.resolved_at !== null}
              name={<Where member={member} />}
              text={escapeMessage(member.message)}
              at={momentMs(member.resolved_at) ?? momentMs(member.opened_at)}
              isOpen={member.alert_id === opened}
              onToggle={() => setOpened(member.alert_id === opened ? '' : member.alert_id)}
            >
              {renderMember(member.alert_id)}
            </PartRow>
          ))}
        </ol>
      )}
      {asked.data !== undefined && members.length === 0 && <Quiet>None any more.</Quiet>}
      {members.length > shown.length && (
        <Button variant="text" onClick={() => setAllShown(true)}>
          Show all {plural(members.length, 'alert')}
        </Button>
      )}
    </PartList>
  );
}
