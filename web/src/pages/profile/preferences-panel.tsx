import { useColorScheme } from '@mui/material/styles';
import { Panel } from '../../components/panel.tsx';
import { Filter, Toggle } from '../../components/form/toolbar.tsx';
import { useStored } from '../../state/use-stored.ts';
import { chosenZone } from '../../time/zone.ts';
import { browserZone, zoneList, zoneToday } from '../../time/zone-list.ts';
import { Entry, Quiet } from './profile-parts.tsx';
import { WebNotificationsEntry } from './web-notifications-entry.tsx';

const THEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'system', label: 'System' },
] as const;

const ZONES = zoneList();

/** Kept in this browser. */
export function PreferencesPanel() {
  const { mode, setMode } = useColorScheme();
  const [zone, setZone] = useStored(chosenZone);
  return (
    <Panel title="Preferences" note="kept in this browser">
      <ul style={{ listStyle: 'none', margin: 0, padding: '4px 0' }}>
        <Entry>
          <div>
            <b>Theme</b>
          </div>
          <Toggle label="Theme" value={mode ?? 'dark'} options={THEMES} onChange={setMode} />
        </Entry>
        <Entry>
          <div>
            <b>Time zone</b>
            <br />
            <Quiet>used for every time on every page</Quiet>
          </div>
          <Filter
            label="Zone"
            value={zone === null ? '' : zoneToday(zone)}
            options={[
              { value: '', label: `Browser (${browserZone()})` },
              ...ZONES.map((name) => ({ value: name, label: name })),
            ]}
            onChange={(name) => setZone(name === '' ? null : name)}
          />
        </Entry>
        <WebNotificationsEntry />
      </ul>
    </Panel>
  );
}
