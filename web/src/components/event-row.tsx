import { BedtimeOutlined as BedtimeIcon } from './icons/material.tsx';
import { styled } from '@mui/material/styles';
import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import type { EventType } from '@plimsoll/contract/rules/limits';
import { momentMs } from '../time/age.ts';
import { escapeInvisible, escapeMessage } from '../format/escape-invisible.ts';
import { MiddleTruncate } from './middle-truncate.tsx';
import { Age } from './age.tsx';
import { ErrorOutlineOutlined as ErrorOutlineIcon, WarningAmberOutlined as WarningIcon } from './icons/first-load.tsx';
import {
  BuildOutlined as BuildIcon,
  LanOutlined as LanIcon,
  MemoryOutlined as MemoryIcon,
  PlayArrowOutlined as PlayArrowIcon,
  RestartAltOutlined as RestartAltIcon,
  ScheduleOutlined as ScheduleIcon,
  SettingsOutlined as SettingsIcon,
  StopOutlined as StopIcon,
  SyncOutlined as SyncIcon,
  TerminalOutlined as TerminalIcon,
  UpgradeOutlined as UpgradeIcon,
} from './icons/material.tsx';

const ICON: Record<EventType, typeof SyncIcon> = {
  service_start: PlayArrowIcon,
  service_stop: StopIcon,
  service_restart: RestartAltIcon,
  process_start: PlayArrowIcon,
  process_stop: StopIcon,
  process_crash: ErrorOutlineIcon,
  config_change: SettingsIcon,
  update_installed: UpgradeIcon,
  system_monitoring: SyncIcon,
  system_resume: BedtimeIcon,
  oom_kill: ErrorOutlineIcon,
  io_error: ErrorOutlineIcon,
  hung_task: ErrorOutlineIcon,
  remounted_read_only: ErrorOutlineIcon,
  link_down: LanIcon,
  link_up: LanIcon,
  ecc_error: MemoryIcon,
  conntrack_full: LanIcon,
  segfault: ErrorOutlineIcon,
  thermal_throttling: WarningIcon,
  time_source_changed: ScheduleIcon,
  journal_error: TerminalIcon,
};

/** Icon of an event's type. */
export function EventIcon({ type }: { type: EventType }) {
  const Icon = ICON[type] ?? BuildIcon;
  return <Icon aria-hidden />;
}

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  padding: '9px 16px',
  '& > svg': { fontSize: 16, marginTop: 2, color: theme.vars.palette.load.text3 },
  '&[data-severity="error"] > svg, &[data-severity="critical"] > svg': { color: theme.vars.palette.load.overText },
  '&[data-severity="warning"] > svg': { color: theme.vars.palette.load.nearText },
  '& .message': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .where': { ...theme.typography.caption, display: 'flex', gap: 4, color: theme.vars.palette.text.secondary },
  '& .where > :last-child': { flex: 'none' },
  '& .where code': { fontSize: 11 },
  '& .age': { ...theme.typography.caption, lineHeight: '20px', color: theme.vars.palette.load.text3 },
}));

/** One event: text, place, type, age. */
export function EventRow({ event }: { event: ActivityEvent }) {
  return (
    <Row data-severity={event.severity}>
      <EventIcon type={event.event_type} />
      <div style={{ minWidth: 0 }}>
        <div className="message" title={escapeMessage(event.message)}>
          {escapeMessage(event.message)}
        </div>
        <div className="where">
          <MiddleTruncate text={escapeInvisible(event.hostname)} />
          <span>
            · <code>{event.event_type}</code>
          </span>
        </div>
      </div>
      <span className="age">
        <Age at={momentMs(event.timestamp)} form="short" />
      </span>
    </Row>
  );
}
