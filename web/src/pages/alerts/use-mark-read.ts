import type { Alert } from '@plimsoll/contract/alerts';
import { useEffect } from 'react';
import { sidebarAlertsQuery } from '../../api/alerts.ts';
import { useQuery } from '../../api/query.ts';
import { markRead, readAlertIds } from '../../state/read-alerts.ts';

/** Opening the page reads everything the badge counts, and what arrives while it is open. */
export function useMarkRead(shown: readonly Alert[]): void {
  const counted = useQuery(sidebarAlertsQuery()).data?.alerts;
  useEffect(() => {
    const before = readAlertIds.get();
    const after = markRead([...(counted ?? []), ...shown], before);
    if (after !== before) readAlertIds.set(after);
  }, [counted, shown]);
}
