import { styled } from '@mui/material/styles';
import type { TimelineKind } from '@plimsoll/contract/rules/timeline';
import type { TimelineEntry } from '@plimsoll/contract/wire/timeline';
import { Age } from '../../components/age.tsx';
import { LEVEL_NAME } from '../../components/chips.tsx';
import { ErrorOutlineOutlined as CrashIcon } from '../../components/icons/first-load.tsx';
import {
  HubOutlined as KubernetesIcon,
  MemoryOutlined as MemoryIcon,
  RestartAltOutlined as ServiceIcon,
  SettingsOutlined as ConfigIcon,
  SyncOutlined as SystemIcon,
  TerminalOutlined as ProcessIcon,
  UpgradeOutlined as PackageIcon,
} from '../../components/icons/material.tsx';
import { TARGET_PX, TOUCH } from '../../components/screen.ts';
import { LevelIcon } from '../../components/status-icons.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { metricWords } from '../../format/incident-words.ts';
import { escapeInvisible, escapeMessage } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { alertText, burstText, KIND_NAME } from '../../format/timeline-words.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { clockTime, dayAndTime, fullMoment } from '../../time/zone.ts';

const ICON: Record<Exclude<TimelineKind, 'alert'>, typeof SystemIcon> = {
  oom: MemoryIcon,
  crash: CrashIcon,
  kubernetes: KubernetesIcon,
  package: PackageIcon,
  service: ServiceIcon,
  config: ConfigIcon,
  system: SystemIcon,
  process: ProcessIcon,
};

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto 16px minmax(0, 1fr) auto',
  gap: '0 10px',
  padding: '8px 16px',
  '& > time': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& > svg': { fontSize: 16, marginTop: 2, color: theme.vars.palette.load.text3 },
  '&[data-severity="error"] > svg, &[data-severity="critical"] > svg': { color: theme.vars.palette.load.overText },
  '&[data-severity="warning"] > svg': { color: theme.vars.palette.load.nearText },
  '& .message': { overflowWrap: 'anywhere' },
  // Beside the words of a burst, colour alone would not tell a link from them.
  '& .message a': { textDecoration: 'underline', textUnderlineOffset: 3 },
  '& .message > b': {
    marginLeft: 8,
    padding: '0 6px',
    borderRadius: 4,
    fontWeight: 600,
    whiteSpace: 'nowrap',
    backgroundColor: theme.vars.palette.action.selected,
  },
  '& .where': {
    ...theme.typography.caption,
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0 8px',
    color: theme.vars.palette.text.secondary,
    overflowWrap: 'anywhere',
    [TOUCH]: { alignItems: 'center', '& a': { lineHeight: `${TARGET_PX}px` } },
  },
  '& .where code': { fontSize: 11 },
  '& .age': { ...theme.typography.caption, lineHeight: '20px', color: theme.vars.palette.load.text3 },
}));

const SEVERITY_NAME = LEVEL_NAME;

/** The servers it happened on, each a way to what ran there then; or the object of a cluster. */
function Places({ entry }: { entry: TimelineEntry }) {
  const { servers, servers_total: total, object, timestamp } = entry;
  if (object !== null) {
    const more = entry.objects_total - 1;
    const { cluster_id: cluster, namespace, kind, name } = object;
    const place = escapeInvisible(namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`);
    const to = kind === 'Pod' ? paths.kubernetesPod(`${cluster}/${namespace}/${name}`) : paths.kubernetesEvents;
    return (
      <>
        <Link to={to}>{place}</Link>
        {more > 0 && <span>and {plural(more, 'more object')}</span>}
      </>
    );
  }
  return (
    <>
      {servers.map(({ server_id: id, hostname }) => (
        <Link key={id} to={paths.serverAt(id, timestamp)} title="What ran there then">
          {escapeInvisible(hostname)}
        </Link>
      ))}
      {total > servers.length && <span>{plural(total - servers.length, 'more server')}</span>}
    </>
  );
}

/** One entry of the time line: when, what, where, and how often if it stands for a burst. */
export function TimelineRow({ entry, dated }: { entry: TimelineEntry; dated: boolean }) {
  const { kind, timestamp, severity, type, message, alert_id: alertId } = entry;
  const ms = timestamp * 1000;
  const Icon = kind === 'alert' ? null : ICON[kind];
  const burst = burstText(entry);
  const alert = alertText(entry);
  const text = escapeMessage(message);
  return (
    <Row data-severity={severity}>
      <time dateTime={new Date(ms).toISOString()} title={fullMoment(ms)}>
        {dated ? dayAndTime(ms) : clockTime(ms)}
      </time>
      {Icon === null ? <LevelIcon level={severity} /> : <Icon aria-hidden />}
      <div style={{ minWidth: 0 }}>
        <div className="message">
          <VisuallyHidden>
            {KIND_NAME[kind]}, {SEVERITY_NAME[severity]}:{' '}
          </VisuallyHidden>
          {alertId === null ? text : <Link to={paths.alert(alertId)}>{text}</Link>}
          {burst !== null && <b>{burst}</b>}
        </div>
        <div className="where">
          <Places entry={entry} />
          {alertId === null ? <code>{escapeInvisible(type)}</code> : <span>{metricWords(type)}</span>}
          {alert !== null && <span>{alert}</span>}
        </div>
      </div>
      <span className="age">
        <Age at={momentMs(timestamp)} form="short" />
      </span>
    </Row>
  );
}
