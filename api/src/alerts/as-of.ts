import type { AlertFilter, AlertRecord } from './types.ts';

/** Selects the alerts that had fired by this moment (ms) and were not resolved. */
export const openAt = (at: number): Pick<AlertFilter, 'from' | 'to'> => ({ from: at, to: at + 1 });

/** Returns an open alert as it stood at that moment: what happened to it later is left out. */
export const alertAsOf = (alert: AlertRecord, at: number): AlertRecord => {
  const acknowledged = alert.acknowledgedAt !== null && alert.acknowledgedAt <= at;
  return {
    ...alert,
    status: 'active',
    resolvedAt: null,
    ...(!acknowledged && { acknowledgedAt: null, acknowledgedBy: null, acknowledgedNote: null }),
  };
};
