import type { UserProfile } from '@plimsoll/contract/wire/accounts/users';
import type { SilenceOnWire } from '@plimsoll/contract/wire/alerts/alert-silences';
import type { KubernetesEvent, WorkloadAnswer } from '@plimsoll/contract/wire/kubernetes';
import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { drawApp } from '../../testing/draw-app.tsx';
import type { Answer, Answers } from '../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';
import { SAMPLE_POD } from '../../testing/sample-pod.ts';
import { paths } from '../../paths.ts';

const owned = { cluster_id: 'c-1', namespace: 'shop', owner_kind: 'Deployment', owner_name: 'checkout' };
const AT = paths.kubernetesWorkload(owned);
const PATH = '/api/kubernetes/workloads/shop/Deployment/checkout';
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const WORKLOAD: WorkloadAnswer = {
  ...(everyAnswer(PATH, Date.now()) as WorkloadAnswer),
  cluster_id: 'c-1',
  cluster_name: 'prod-fra',
  namespace: 'shop',
  kind: 'Deployment',
  name: 'checkout',
  desired: 8,
  ready: 5,
  suspended: false,
  short_since: ago(3720),
  owner: {
    cluster_id: 'c-1',
    namespace: 'shop',
    owner_kind: 'Deployment',
    owner_name: 'checkout',
    pods: 8,
    phases: { Running: 8, Pending: 0, Failed: 0, Succeeded: 0, Unknown: 0 },
    cpu_usage_cores: 0.5,
    memory_usage_mb: 1800,
    restarts_24h: 35,
    requests: { cpu_cores: 1, memory_mb: 2048 },
    limits: { cpu_cores: 2, memory_mb: null },
    without_cpu_limit: 0,
    without_memory_limit: 8,
    desired: 8,
    ready: 5,
  },
  rollouts: [{ at: ago(3720), changes: [{ container: 'app', from: 'checkout:1.9.1', to: 'checkout:1.9.2' }] }],
  alerts: [
    {
      alert_id: ID,
      level: 'critical',
      title: 'Replicas missing',
      message: '3 of 8 pods crash-loop, OOMKilled at 256 MB',
      opened_at: ago(3000),
      acknowledged: true,
    },
  ],
};
const EVENT: KubernetesEvent = {
  id: 'e-1',
  cluster_id: 'c-1',
  type: 'Warning',
  reason: 'OOMKilling',
  message: 'Memory cgroup out of memory',
  namespace: 'shop',
  kind: 'Pod',
  name: 'checkout-7f9c-x2wlq',
  component: 'kubelet',
  count: 35,
  first_at: ago(3600),
  last_at: ago(20),
};

async function drawn(
  answer: Answer = { data: WORKLOAD },
  width = 1440,
  more: Answers = {},
  role: UserProfile['role'] = 'admin',
) {
  onTestFinished(() => page.viewport(1280, 800));
  return drawApp(AT, {
    width,
    role,
    answers: {
      'GET /api/alerts/silences': { data: { silences: [], total: 0 } },
      [`GET ${PATH}`]: answer,
      'GET /api/kubernetes/pods': {
        data: {
          ...(everyAnswer('/api/kubernetes/pods', Date.now()) as object),
          pods: [{ ...SAMPLE_POD, uid: 'p', cluster_id: 'c-1', namespace: 'shop', pod_name: 'checkout-7f9c-x2wlq' }],
          total: 1,
        },
      },
      'GET /api/kubernetes/events': { data: { events: [EVENT], total: 12, reasons: [], kinds: [] } },
      ...more,
    },
  });
}

it('says what is wrong since when, and shows pods, rollouts, use, alerts and events', async () => {
  await drawn();
  await expect.element(page.getByRole('heading', { name: 'shop/checkout' })).toBeVisible();
  await expect
    .element(page.getByText(/^Deployment in prod-fra, 5 of 8 ready\. 3 replicas missing for 1 h/))
    .toBeVisible();
  await expect.element(page.getByText('checkout-7f9c-x2wlq').first()).toBeVisible();
  await expect.element(page.getByText('− checkout:1.9.1')).toBeVisible();
  await expect.element(page.getByText('+ checkout:1.9.2')).toBeVisible();
  await expect.element(page.getByRole('meter', { name: /^CPU of its limit 25/ })).toBeVisible();
  // A limit that not every pod has is no bound.
  await expect.element(page.getByRole('meter', { name: /^Memory of its request 88/ })).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: '3 of 8 pods crash-loop, OOMKilled at 256 MB' }))
    .toHaveAttribute('href', `/alerts?alert=${ID}`);
  await expect.element(page.getByText('×35')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'All 12' }))
    .toHaveAttribute('href', '/kubernetes/events?cluster=c-1&search=checkout');
});

it('compares itself with the other clusters, and marks what differs', async () => {
  const amounts = { requests: { cpu_cores: 0.5, memory_mb: null }, limits: { cpu_cores: 1, memory_mb: 512 } };
  const here = { cluster_id: 'c-1', cluster_name: 'prod-fra', reported_at: ago(20), desired: 8, ready: 5, ...amounts };
  const images = (tag: string) => ({ images: [{ container: 'app', image: `checkout:${tag}` }] });
  const clusters = [
    { ...here, ...images('1.9.2') },
    { ...here, cluster_id: 'c-2', cluster_name: 'prod-ams', ready: 8, reported_at: ago(600), ...images('1.9.1') },
  ];
  const { screen } = await drawn({ data: { ...WORKLOAD, clusters } });
  await expect.element(page.getByText('checkout:1.9.1 (differs)', { exact: true })).toBeVisible();
  // Fewer ready pods are no other wish.
  await expect.element(page.getByText('8 of 8 ready', { exact: true })).toBeVisible();
  await expect.element(page.getByText(/^silent, as of/)).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'prod-ams' }))
    .toHaveAttribute('href', paths.kubernetesWorkload({ ...owned, cluster_id: 'c-2' }));
  expect(screen.container.querySelectorAll('[data-differs]')).toHaveLength(1);
});

it('names nothing that is not known, and never zero instead', async () => {
  await drawn({
    data: { ...WORKLOAD, desired: null, ready: null, short_since: null, owner: null, rollouts: [], alerts: [] },
  });
  await expect.element(page.getByText('Deployment in prod-fra, 0 pods.')).toBeVisible();
  await expect.element(page.getByText('No rollout is known')).toBeVisible();
  await expect.element(page.getByText('Nothing runs, so nothing is used.')).toBeVisible();
  await expect.element(page.getByText('No open alerts')).toBeVisible();
});

it('says that it is gone, and what failed', async () => {
  const gone = await drawn({ status: 404, detail: 'Workload not found' });
  await expect.element(page.getByText('It was deleted, or no pod of it was reported yet.')).toBeVisible();
  await gone.screen.unmount();
  await drawn({ status: 500, detail: 'the database is away' });
  await expect.element(page.getByText(/the database is away/)).toBeVisible();
});

const SILENCE: SilenceOnWire = {
  silence_id: ID,
  server_id: null,
  hostname: null,
  tag_key: null,
  tag_value: null,
  metric: null,
  rule_id: null,
  subject: 'shop/Deployment/checkout',
  cluster_id: 'c-1',
  namespace: 'shop',
  text: 'subject shop/Deployment/checkout',
  starts_at: '2026-01-01T00:00:00.000Z',
  ends_at: '2030-01-01T12:00:00.000Z',
  status: 'active',
  comment: '',
  created_by: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

it('silences all alerts of the workload in two clicks, and takes it back', async () => {
  const { callsTo } = await drawn({ data: WORKLOAD }, 1440, {
    'POST /api/alerts/silences': { data: { silence: SILENCE } },
    [`DELETE /api/alerts/silences/${ID}`]: { data: {} },
  });
  const button = page.getByRole('button', { name: 'Silence alerts of shop/checkout' });
  await expect.element(button).toBeVisible();
  // It stands in the head of the page: its alerts are far below.
  const { bottom } = button.element().getBoundingClientRect();
  expect(bottom).toBeLessThan(page.getByRole('heading', { name: 'Rollouts' }).element().getBoundingClientRect().top);
  await button.click();
  await page.getByRole('menuitem', { name: '1 h' }).click();
  await expect.element(page.getByText(/^Silenced until 1 Jan /)).toBeVisible();
  expect(callsTo('POST', '/api/alerts/silences').map(({ body }) => body)).toEqual([
    { cluster_id: 'c-1', namespace: 'shop', subject: 'shop/Deployment/checkout', duration_seconds: 3600 },
  ]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => callsTo('DELETE', `/api/alerts/silences/${ID}`)).toHaveLength(1);
});

it('has no button for a viewer', async () => {
  await drawn({ data: WORKLOAD }, 1440, {}, 'viewer');
  await expect.element(page.getByRole('link', { name: '3 of 8 pods crash-loop, OOMKilled at 256 MB' })).toBeVisible();
  expect(page.getByRole('button', { name: /^Silence alerts/ }).elements()).toHaveLength(0);
});

it('says until when its alerts are silenced, and not when those of another workload are', async () => {
  const other = {
    ...SILENCE,
    silence_id: 'other',
    subject: 'shop/Deployment/cart',
    ends_at: '2030-02-02T12:00:00.000Z',
  };
  await drawn({ data: WORKLOAD }, 1440, {
    'GET /api/alerts/silences': { data: { silences: [other, SILENCE], total: 2 } },
  });
  await expect.element(page.getByText(/^Silenced until 1 Jan /)).toBeVisible();
  expect(page.getByText(/^Silenced until 2 Feb /).elements()).toHaveLength(0);
  expect(page.getByRole('button', { name: /^Silence alerts/ }).elements()).toHaveLength(0);
});
