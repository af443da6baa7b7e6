import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import type { Answers } from './draw-page.tsx';

export const ALERT_SERVER = '00000000-0000-4000-8000-00000000000a';
export const ALERT_ID = '00000000-0000-4000-8000-0000000000a1';
export const OTHER_ID = '00000000-0000-4000-8000-0000000000a2';
const OPENED = Date.parse('2026-11-22T20:50:12Z') / 1000;
export const SAMPLE_ALERT: Alert = {
  alert_id: ALERT_ID,
  server_id: ALERT_SERVER,
  level: 'warning',
  title: 'CPU usage above 80%',
  message: 'CPU 91 %, 11 over for 5 min',
  status: 'active',
  timestamp: OPENED,
  resolved_at: null,
  metric_name: 'cpu_usage',
  current_value: 91.4,
  threshold_value: 80,
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_note: null,
  silenced_until: null,
  silence_id: null,
  incident: null,
  rule_id: 'default-cpu',
  tags: { hostname: 'build-hel-02' },
};
export const SECOND_ALERT: Alert = {
  ...SAMPLE_ALERT,
  alert_id: OTHER_ID,
  level: 'critical',
  message: 'No report for 7 min',
  metric_name: 'offline',
};
export const ALERT_DETAIL: AlertDetailAnswer = {
  alert: SAMPLE_ALERT,
  rule: {
    rule_id: 'default-cpu',
    is_default: true,
    exists: true,
    text: 'CPU at or above 80 % for 5 min; resolves below 75 %',
  },
  chart: {
    server_id: ALERT_SERVER,
    metric: 'cpu_usage',
    subject: '',
    from: OPENED - 1800,
    to: OPENED + 1800,
    line: 80,
    lines: [
      { level: 'warning', threshold: 80 },
      { level: 'critical', threshold: 95 },
    ],
    opened_at: OPENED,
    resolved_at: null,
  },
  black_box: {
    taken_at: '2026-11-22T20:50:12.000Z',
    processes: {
      sampled_at: '2026-11-22T20:50:12.000Z',
      age_seconds: 0,
      total: 2,
      entries: [
        {
          pid: 48213,
          name: 'rustc',
          command: 'rustc --crate-name plimsoll_index',
          user: 'ci',
          status: 'R',
          cpu_usage: 96.8,
          memory_usage: 4,
          memory_kb: 1000,
        },
      ],
    },
    connections: null,
    events: [],
    pods: null,
  },
  black_box_note: null,
  deliveries: [
    {
      channel_id: ALERT_SERVER,
      channel_name: 'Telegram',
      type: 'telegram',
      state: 'delivered',
      at: '2026-11-22T22:14:03.000Z',
      error: null,
      attempts: 1,
    },
  ],
  history: [
    {
      at: '2026-11-22T20:50:12.000Z',
      kind: 'opened',
      by: null,
      note: null,
      level: 'warning',
      until: null,
      channel_name: null,
    },
    {
      at: '2026-11-22T21:00:00.000Z',
      kind: 'acknowledged',
      by: 'Mira',
      note: 'deploy',
      level: null,
      until: null,
      channel_name: null,
    },
  ],
};
const SERIES = {
  timeseries: [],
  bucket_seconds: 60,
  from: OPENED - 1800,
  to: OPENED + 1800,
  aggregated: false,
  gaps: [],
};
export const UNDO_ID = '00000000-0000-4000-8000-0000000000ff';
const bulk = (action: string, ids: readonly string[]) => ({
  data: {
    operation_id: UNDO_ID,
    action,
    outcomes: ids.map((id) => ({ alert_id: id, outcome: 'done' })),
    done: ids.length,
    undo_until: action === 'undo' ? null : '2026-11-23T00:00:00.000Z',
  },
});
/** Answers for the page of alerts. */
export const alertAnswers = (alerts: readonly Alert[], more: Answers = {}): Answers => ({
  'GET /api/data/notifications': { data: { alerts, total: alerts.length } },
  'GET /api/data/metrics/timeseries': { data: SERIES },
  'GET /api/servers/list': { data: { servers: [] } },
  [`GET /api/alerts/${ALERT_ID}`]: { data: ALERT_DETAIL },
  'POST /api/alerts/bulk': ({ body }) => {
    const { action, alert_ids: ids = [ALERT_ID] } = body as { action: string; alert_ids?: string[] };
    return bulk(action, ids);
  },
  ...more,
});
