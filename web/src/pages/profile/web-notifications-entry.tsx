import Switch from '@mui/material/Switch';
import { useState } from 'react';
import { webNotifications } from '../../state/announced-alerts.ts';
import { useStored } from '../../state/use-stored.ts';
import { Entry, Quiet } from './profile-parts.tsx';

const ABSENT =
  'This browser offers no notifications here: they need https or localhost. Set up a channel below Alerts instead.';
const REFUSED = 'The browser blocks notifications of this site. Allow them in its site settings, then switch this on.';

/** The switch of web notifications. The browser is asked only when someone switches them on. */
export function WebNotificationsEntry() {
  const [isOn, setOn] = useStored(webNotifications);
  const isOffered = 'Notification' in window && window.isSecureContext;
  const [isRefused, setRefused] = useState(isOffered && Notification.permission === 'denied');
  const change = async (on: boolean): Promise<void> => {
    if (!on) {
      setOn(false);
      return;
    }
    const isGranted = (await Notification.requestPermission()) === 'granted';
    setRefused(!isGranted);
    setOn(isGranted);
  };
  return (
    <Entry>
      <div>
        <b id="web-notifications">Web notifications</b>
        <br />
        <Quiet role="status">
          {!isOffered
            ? ABSENT
            : isRefused
              ? REFUSED
              : 'a message of the browser for each new incident, while a tab is open'}
        </Quiet>
      </div>
      <Switch
        checked={isOn && isOffered && !isRefused}
        disabled={!isOffered}
        onChange={(_event, on) => void change(on)}
        slotProps={{ input: { 'aria-labelledby': 'web-notifications' } }}
      />
    </Entry>
  );
}
