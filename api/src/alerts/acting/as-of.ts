import type { AlertFilter, AlertRecord } from '../types.ts';

/** Selects the alerts that had fired by this moment (ms) and were not resolved. */
export const openAt = (at: number): Pick<AlertFilter, 'from' | 'to'> => ({ from: at, to: at + 1 });

/** Ends a range at this moment (ms): an alert that fired later was not known. */
export const firedBy = (at: number, { to }: Pick<AlertFilter, 'to'>): Pick<AlertFilter, 'to'> => ({
  to: Math.min(to ?? Infinity, at + 1),
});

/** Returns an alert as it stood at that moment: what happened to it later is left out. */
export const alertAsOf = (alert: AlertRecord, at: number): AlertRecord => {
  const acknowledged = alert.acknowledgedAt !== null && alert.acknowledgedAt <= at;
  const isResolved = alert.resolvedAt !== null && alert.resolvedAt <= at;
  return {
    ...alert,
    ...(!isResolved && { status: 'active' as const, resolvedAt: null }),
    ...(!acknowledged && {
      acknowledgedAt: null,
      acknowledgedBy: null,
      acknowledgedById: null,
      acknowledgedNote: null,
    }),
  };
};
