import { MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import type { InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import { Age } from '../../components/age.tsx';
import { cssVars } from '../../components/css-vars.ts';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { bytesQuantity, numberText, plural } from '../../format/figures.ts';
import { ageText, momentMs } from '../../time/age.ts';
import { growthWords, lagQuantity, untilFullWords } from './health-words.ts';

/** "2 silent, 1 installing"; "all report" if nothing else is to say. */
function serverWords({ servers_silent, servers_installing, servers_reporting }: InstallationHealth['ingest']): string {
  const parts = [
    ...(servers_silent > 0 ? [`${numberText(servers_silent)} silent`] : []),
    ...(servers_installing > 0 ? [`${numberText(servers_installing)} never reported`] : []),
  ];
  if (parts.length > 0) return parts.join(', ');
  return servers_reporting === 0 ? 'no server yet' : 'none silent';
}

const quantity = (bytes: number | null) => (bytes === null ? { value: null } : bytesQuantity(bytes));

/** The six figures that answer whether the installation works. */
export function HealthTiles({ health }: { health: InstallationHealth }) {
  const { ingest, database, notifications, findings } = health;
  const has = (finding: (typeof findings)[number]) =>
    findings.includes(finding) ? ('near' as const) : ('ok' as const);
  const { oldest_message_age_seconds: oldest } = notifications;
  const highest = lagQuantity(ingest.lag_highest_seconds);
  return (
    <StatGrid style={cssVars({ columns: 6 })} aria-label="Installation" role="group">
      <StatTile
        label="Reports"
        aside={`last ${ingest.window_seconds / MINUTE_SECONDS} min`}
        value={numberText(ingest.reports_per_minute, Number.isInteger(ingest.reports_per_minute) ? 0 : 1)}
        unit="/ min"
        fact={
          <>
            last one <Age at={momentMs(ingest.last_report_at)} />
          </>
        }
      />
      <StatTile
        label="Report lag"
        aside="median"
        {...lagQuantity(ingest.lag_p50_seconds)}
        reason={ingest.lag_unknown_reason}
        fact={highest.value === null ? undefined : `highest ${highest.value} ${highest.unit}, sample to arrival`}
      />
      <StatTile
        label="Servers"
        aside="reporting now"
        value={numberText(ingest.servers_reporting)}
        fact={serverWords(ingest)}
      />
      <StatTile
        label="Database"
        aside={database.location}
        {...quantity(database.size_bytes)}
        fact={growthWords(database, momentMs(health.as_of) ?? Number.NaN)}
      />
      <StatTile
        label="Free space"
        aside="on its disk"
        band={has('disk_full_soon')}
        {...quantity(database.free_bytes)}
        reason={database.free_unknown_reason}
        fact={untilFullWords(database)}
      />
      <StatTile
        label="Notifications"
        aside="waiting"
        band={has('messages_waiting')}
        value={numberText(notifications.messages_waiting)}
        fact={
          oldest === null
            ? plural(notifications.channels_total, 'channel')
            : `oldest ${ageText(oldest)}, ${plural(notifications.channels_total, 'channel')}`
        }
      />
    </StatGrid>
  );
}
