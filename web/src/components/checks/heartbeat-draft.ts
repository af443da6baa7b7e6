import type { CheckDetail, CheckRequestInput } from '@plimsoll/contract/wire/checks/checks';
import { durationText, readDuration } from '../../format/duration-text.ts';

/** The content of the form; durations as they are typed. */
export interface HeartbeatDraft {
  name: string;
  kind: 'interval' | 'cron';
  every: string;
  expression: string;
  zone: string;
  grace: string;
}
export type HeartbeatProblems = Partial<Record<keyof HeartbeatDraft, string>>;

export const newHeartbeat = (zone: string): HeartbeatDraft => ({
  name: '',
  kind: 'interval',
  every: '1 d',
  expression: '',
  zone,
  grace: '5 min',
});

/** Returns the draft of a stored heartbeat. `zone` is proposed if its schedule has none. */
export function heartbeatDraftOf({ name, heartbeat }: CheckDetail, zone: string): HeartbeatDraft {
  const start = { ...newHeartbeat(zone), name };
  if (heartbeat === null) return start;
  const { schedule, grace_seconds: grace } = heartbeat;
  const draft = { ...start, kind: schedule.kind, grace: durationText(grace) };
  return schedule.kind === 'interval'
    ? { ...draft, every: durationText(schedule.seconds) }
    : { ...draft, expression: schedule.expression, zone: schedule.zone };
}

const DURATION = 'Write it as 20 min, 6 h or 1 d.';

export function heartbeatProblems(draft: HeartbeatDraft): HeartbeatProblems {
  const isInterval = draft.kind === 'interval';
  return {
    ...(draft.name.trim() === '' && { name: 'Give it the name of the job.' }),
    ...(isInterval && readDuration(draft.every) === null && { every: DURATION }),
    ...(!isInterval && draft.expression.trim() === '' && { expression: 'Write it as in the crontab of the job.' }),
    ...(readDuration(draft.grace) === null && { grace: DURATION }),
  };
}

/** Fields of the form by the field that the API names. */
const FIELDS: Readonly<Record<string, keyof HeartbeatDraft>> = {
  name: 'name',
  'heartbeat.schedule.seconds': 'every',
  'heartbeat.schedule.expression': 'expression',
  'heartbeat.schedule.zone': 'zone',
  'heartbeat.grace_seconds': 'grace',
};
export const heartbeatField = (field: string | null): keyof HeartbeatDraft | null => FIELDS[field ?? ''] ?? null;

/** Returns what is sent for a draft without problems. `stored` null: a new heartbeat. */
export const heartbeatRequest = (draft: HeartbeatDraft, stored: CheckDetail | null): CheckRequestInput => ({
  name: draft.name.trim(),
  is_enabled: stored?.is_enabled ?? true,
  heartbeat: {
    schedule:
      draft.kind === 'interval'
        ? { kind: 'interval', seconds: readDuration(draft.every) ?? 0 }
        : { kind: 'cron', expression: draft.expression.trim(), zone: draft.zone },
    grace_seconds: readDuration(draft.grace) ?? 0,
  },
  server_id: stored?.server_id ?? null,
});
