import { groupTitle, incidentText, subjectName } from '../../../format/incident-words.ts';
import type { AlertsRow } from '../../../format/incident-rows.ts';

/** Returns a row in one sentence, for names of buttons and dialogs: "web-01: CPU 91 %, 11 over for 5 min". */
export const aboutRow = (row: AlertsRow): string =>
  row.kind === 'group' ? groupTitle(row) : `${subjectName(row.lead)}: ${incidentText(row)}`;
