import type { InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import { Age } from '../../components/age.tsx';
import { Chip } from '../../components/chips.tsx';
import { Facts } from '../../components/facts.tsx';
import { Figure } from '../../components/figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { CHANNEL_NAME, OUTCOME } from '../../format/delivery-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { bytesQuantity, numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { HealthTable } from './health-table.tsx';
import { AGENT_KIND, behindWords, bucketWords, lagQuantity } from './health-words.ts';

interface PanelProps {
  health: InstallationHealth;
}

/** A time after the code of the error, or that none happened. */
function LastFailure({ job }: { job: InstallationHealth['jobs'][number] }) {
  if (job.last_failure_at === null) return <span className="quiet">none</span>;
  return (
    <span className={job.replicas_failing > 0 ? 'fault' : undefined}>
      <code>{escapeInvisible(job.last_error ?? 'Error')}</code> <Age at={momentMs(job.last_failure_at)} />
    </span>
  );
}

export function JobsPanel({ health: { jobs } }: PanelProps) {
  const failing = jobs.filter(({ replicas_failing }) => replicas_failing > 0).length;
  const failingWords = `${numberText(failing) ?? ''} failing`;
  return (
    <HealthTable
      title="Background jobs"
      note={failing === 0 ? 'stored by each replica every minute' : failingWords}
      {...(failing === 0 && { fold: `${plural(jobs.length, 'job')}, none failing` })}
      columns={['Job', 'Last success', 'Last failure']}
      empty={{ sentence: 'No job has run yet', reason: 'Each job runs when the API starts.' }}
      rows={jobs.map((job) => ({
        key: job.name,
        cells: [
          <code key="name">{job.name}</code>,
          <Age key="success" at={momentMs(job.last_success_at)} />,
          <LastFailure key="failure" job={job} />,
        ],
      }))}
    />
  );
}

export function TablesPanel({ health: { database } }: PanelProps) {
  return (
    <HealthTable
      title="Largest tables"
      note={`PostgreSQL ${database.postgres_version}, with indexes and all partitions`}
      fold={plural(database.largest_tables.length, 'table')}
      columns={['Table', 'Size', 'Share']}
      empty={{ sentence: 'No tables', reason: 'PostgreSQL lists none.' }}
      rows={database.largest_tables.map(({ name, size_bytes }) => ({
        key: name,
        cells: [
          <code key="name">{name}</code>,
          <Figure key="size" {...bytesQuantity(size_bytes)} />,
          <Figure key="share" value={numberText((size_bytes / database.size_bytes) * 100, 1)} unit="%" />,
        ],
      }))}
    />
  );
}

export function RollupsPanel({ health: { rollups } }: PanelProps) {
  const aside = rollups.buckets_set_aside.map(({ level, buckets }) => `${numberText(buckets) ?? ''} of level ${level}`);
  return (
    <Panel title="Rollups" note="every 30 s">
      <Facts
        facts={[
          ...rollups.levels.map((level) => ({
            name: `Buckets of ${bucketWords(level.bucket_seconds)}`,
            value: <Figure value={behindWords(level)} reason={level.unknown_reason} />,
          })),
          { name: 'Set aside after an error', value: aside.length === 0 ? 'none' : aside.join(', ') },
        ]}
      />
    </Panel>
  );
}

/** Draws nothing where no store is set up. */
export function SeriesStorePanel({ health: { series_store: store } }: PanelProps) {
  if (store == null) return null;
  const failedAt = momentMs(store.last_failure_at);
  const failure = (
    <span className="fault">
      {escapeInvisible(store.last_error ?? '')} <Age at={failedAt} />
    </span>
  );
  return (
    <Panel title="Time-series store" note="every 30 s">
      <Facts
        facts={[
          {
            name: 'Delay of its samples',
            value: <Figure {...lagQuantity(store.behind_seconds)} reason="nothing was sent yet" />,
          },
          { name: 'Compared up to', value: <Age at={momentMs(store.verified_to)} /> },
          { name: 'Incomplete hours', value: numberText(store.hours_incomplete) },
          { name: 'Deletions that wait', value: numberText(store.deletions_waiting) },
          { name: 'Last error', value: store.last_error === null ? 'none' : failure },
        ]}
      />
    </Panel>
  );
}

export function ReplicasPanel({ health: { replicas } }: PanelProps) {
  const running = replicas.filter(({ is_running }) => is_running).length;
  return (
    <HealthTable
      title="API replicas"
      note={`${numberText(running) ?? ''} running, seen in the last 24 h`}
      columns={['Version', 'Started', 'Last seen']}
      empty={{ sentence: 'No replica has stored its time', reason: 'Each one does so when it starts.' }}
      rows={replicas.map(({ started_at, last_seen_at, version, is_running }) => ({
        key: `${started_at} ${last_seen_at}`,
        cells: [
          <Figure key="version" value={version === null ? null : escapeInvisible(version)} reason="not stored" />,
          <Age key="started" at={momentMs(started_at)} />,
          <span key="seen" className={is_running ? undefined : 'quiet'}>
            {is_running ? '' : 'stopped, '}
            <Age at={momentMs(last_seen_at)} />
          </span>,
        ],
      }))}
    />
  );
}

export function ChannelsPanel({ health: { notifications } }: PanelProps) {
  const { channels, channels_total: total } = notifications;
  const shown = channels.length < total ? `${plural(channels.length, 'channel')} of ${numberText(total) ?? ''}` : null;
  return (
    <HealthTable
      title="Channels"
      note={shown ?? 'last delivery of 30 days'}
      actions={<Link to={paths.alertChannels}>Alert channels</Link>}
      columns={['Channel', 'Waiting', 'Last delivery']}
      empty={{ sentence: 'No channels', reason: 'Alerts are not sent anywhere.' }}
      rows={channels.map((channel, index) => {
        const { type, name, messages_waiting, last_outcome: outcome, last_delivery_at } = channel;
        return {
          key: `${index} ${name ?? ''}`,
          cells: [
            <span key="name">
              {name === null ? 'Another organisation' : escapeInvisible(name)}{' '}
              <span className="quiet">{CHANNEL_NAME[type]}</span>
            </span>,
            <Figure key="waiting" value={numberText(messages_waiting)} />,
            outcome === null ? (
              <span key="last" className="quiet">
                none
              </span>
            ) : (
              <span key="last" className={OUTCOME[outcome].isOver ? 'fault' : undefined}>
                {OUTCOME[outcome].words} <Age at={momentMs(last_delivery_at)} />
              </span>
            ),
          ],
        };
      })}
    />
  );
}

export function AgentsPanel({ health: { agents, api_version } }: PanelProps) {
  return (
    <HealthTable
      title="Agents"
      note={`by their last report, API ${api_version}`}
      columns={['Agent', 'Version', 'Count']}
      empty={{ sentence: 'No agents', reason: 'Setup installs the first one.' }}
      rows={agents.map(({ kind, version, agents: count, is_outdated }) => ({
        key: `${kind} ${version ?? ''}`,
        cells: [
          AGENT_KIND[kind],
          <span key="version">
            {is_outdated && <Chip tone="near">older than the API</Chip>}{' '}
            <Figure value={version === null ? null : escapeInvisible(version)} reason="no report yet" />
          </span>,
          <Figure key="count" value={numberText(count)} />,
        ],
      }))}
    />
  );
}
