import Button from '@mui/material/Button';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { SubjectLink } from '../../../components/incidents/place-links.tsx';
import { plural } from '../../../format/figures.ts';
import { alertStateText, incidentText, metricWords } from '../../../format/incident-words.ts';
import { openSince, type GroupRow, type IncidentRow } from '../../../format/incident-rows.ts';
import { momentMs } from '../../../time/age.ts';
import { Reading } from '../list/reading.tsx';
import { PartList, PartRow } from './part-row.tsx';

/** A group has up to 1,000 incidents; a button shows more than these. */
const SHOWN = 20;

/** Draws the details of one alert. */
type Render = (alert: Alert) => ReactNode;

const isResolved = (alert: Alert): boolean => alert.status === 'resolved';
const since = (alert: Alert): number | null => momentMs(isResolved(alert) ? alert.resolved_at : alert.timestamp);

interface IncidentPartsProps {
  row: IncidentRow;
  /** Id of the alert of the address. */
  opened: string;
  render: Render;
}

/** The alerts of an incident, the one that leads first. Its details stand below the list, so it does not open here. */
export function IncidentParts({ row, opened, render }: IncidentPartsProps) {
  const [chosen, setChosen] = useState(opened === row.lead.alert_id ? '' : opened);
  return (
    <PartList aria-label="Alerts in one">
      <header>
        <h3>{plural(row.alerts.length, 'alert')} folded into this one</h3>
      </header>
      <ol>
        {row.alerts.map((alert) => (
          <PartRow
            key={alert.alert_id}
            level={alert.level}
            isResolved={isResolved(alert)}
            name={metricWords(alert.metric_name)}
            text={alertStateText(alert)}
            reading={<Reading alert={alert} />}
            at={since(alert)}
            isOpen={alert.alert_id === chosen}
            onToggle={() => setChosen(alert.alert_id === chosen ? '' : alert.alert_id)}
          >
            {render(alert)}
          </PartRow>
        ))}
      </ol>
    </PartList>
  );
}

interface GroupPartsProps {
  row: GroupRow;
  opened: string;
  render: Render;
}

/** The incidents of a group, the worst first. */
export function GroupParts({ row, opened, render }: GroupPartsProps) {
  const { incidents } = row;
  const holds = (incident: IncidentRow) => incident.alerts.some((alert) => alert.alert_id === opened);
  const [chosen, setChosen] = useState(() => incidents.find(holds)?.id ?? '');
  // The alert of a link is in the list wherever it stands.
  const [areAllShown, setAllShown] = useState(() => incidents.findIndex(holds) >= SHOWN);
  const shown = areAllShown ? incidents : incidents.slice(0, SHOWN);
  return (
    <PartList aria-label="In this group">
      <ol>
        {shown.map((incident) => (
          <PartRow
            key={incident.id}
            level={incident.lead.level}
            isResolved={isResolved(incident.lead)}
            name={<SubjectLink alert={incident.lead} />}
            text={incidentText(incident)}
            reading={<Reading alert={incident.lead} />}
            at={momentMs(openSince(incident))}
            isOpen={incident.id === chosen}
            onToggle={() => setChosen(incident.id === chosen ? '' : incident.id)}
          >
            {render(incident.lead)}
          </PartRow>
        ))}
      </ol>
      {incidents.length > shown.length && (
        <Button variant="text" onClick={() => setAllShown(true)}>
          Show all {incidents.length}
        </Button>
      )}
    </PartList>
  );
}
