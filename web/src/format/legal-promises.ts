import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';

/** What the legal pages promise. Days are what the prune job deletes by; the rest binds the operator. */
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
