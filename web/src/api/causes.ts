import type { CauseAnswer, EvidenceAnswer } from '@plimsoll/contract/wire/causes';
import { request } from './client.ts';
import { POLL, STALE } from './polling.ts';
import type { Ask } from './query.ts';

const incidentPath = (id: string, part: string) => `/api/incidents/${encodeURIComponent(id)}/${part}`;

/** Incident or alert whose cause is shown. An alert from before incidents existed has no incident. */
export type CauseSubject = { incidentId: string; isOpen: boolean } | { alertId: string; isOpen: boolean };

/** Query for the likely cause. That of an open incident may change while alerts join it. */
export const causeQuery = (subject: CauseSubject): Ask<CauseAnswer> => ({
  queryKey: ['alerts', 'cause', 'incidentId' in subject ? subject.incidentId : subject.alertId],
  queryFn: ({ signal }) =>
    request(
      'incidentId' in subject
        ? incidentPath(subject.incidentId, 'cause')
        : `/api/alerts/${encodeURIComponent(subject.alertId)}/cause`,
      { signal },
    ),
  refetchInterval: subject.isOpen ? POLL.causes : false,
  staleTime: STALE.alerts,
});

/** All that the cause of an incident is computed from; for admins. */
export const readEvidence = (incidentId: string) => request<EvidenceAnswer>(incidentPath(incidentId, 'evidence'));
