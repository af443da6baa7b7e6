import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { useEffect, useRef } from 'react';
import { escapeMessage } from '../../format/escape-invisible.ts';
import { subjectName } from '../../format/incident-words.ts';
import { useNavigate } from '../../router.ts';
import { announce, incidentKey, webNotifications } from '../../state/announced-alerts.ts';
import { useStored } from '../../state/use-stored.ts';

/** Shows a web notification for each incident that is new while the page is open, in whatever tab it is. */
export function useWebNotifications(alerts: readonly Alert[] | undefined): void {
  const [isOn] = useStored(webNotifications);
  const navigate = useNavigate();
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (alerts === undefined) return;
    const found = announce(alerts, known.current);
    known.current = found.known;
    if (!isOn || !('Notification' in window) || Notification.permission !== 'granted') return;
    for (const alert of found.fresh) {
      // The tag makes one of those that several tabs of this browser show.
      const shown = new Notification(`${subjectName(alert)}: ${alert.level}`, {
        body: escapeMessage(alert.message),
        tag: incidentKey(alert),
        icon: '/favicon.svg',
      });
      shown.addEventListener('click', () => {
        window.focus();
        shown.close();
        void navigate(`/alerts?alert=${alert.alert_id}`);
      });
    }
  }, [alerts, isOn, navigate]);
}
