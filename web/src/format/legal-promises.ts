import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';

/** Promises of the legal pages. The prune job enforces the days; the rest binds the operator. */
export const PROMISES = {
  lastUpdated: 'October 14, 2025',
  minimumAge: 18,
  retention: {
    metrics: '1 year',
    alerts: '2 years',
    events: '1 year',
    processes: '14 days',
  },
  detail: {
    rawDays: RETENTION_DAYS.raw,
    fiveMinuteDays: RETENTION_DAYS.fiveMinutes,
    hourlyDays: RETENTION_DAYS.oneHour,
  },
  accountDeletionDays: 30,
  sessionHours: 24,
  requestDays: 30,
  breachNoticeHours: 72,
} as const;
