/** The keys of the Alerts page, for the list that "?" opens. */
export const ALERT_KEYS = [
  { name: 'Alerts: next, previous', keys: ['j', 'k'] },
  { name: 'Alerts: open or close', keys: ['Enter'] },
  { name: 'Alerts: acknowledge', keys: ['a'] },
  { name: 'Alerts: silence', keys: ['s'] },
  { name: 'Alerts: tick', keys: ['x'] },
] as const;
