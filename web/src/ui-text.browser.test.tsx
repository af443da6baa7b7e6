import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { paths } from './paths.ts';
import { drawApp, filled } from './testing/draw-app.tsx';
import type { Answers } from './testing/draw-page.tsx';
import { ID } from './testing/every-answer.ts';

/** The words of the specification a screen shows when it is full. */
const SCREENS: readonly { path: string; words: readonly string[] }[] = [
  {
    path: paths.dashboard,
    words: [
      'Dashboard',
      'Servers',
      'Kubernetes',
      'Alerts',
      'Activity',
      'Network',
      'Processes',
      'AI Chat',
      'Setup',
      'Profile',
      'Logout',
      'Total Servers',
      'Online Servers',
      'Uninstalled',
      'Uptime',
      'Total CPU Cores',
      'Total Memory',
      'Total Storage',
      'Avg IOPS',
      'Avg IO Wait',
      'Avg CPU',
      'Avg Memory',
      'Avg Disk',
      'Active Alerts',
      'Recent Activity',
      'Running',
      'Pending',
      'Failed',
    ],
  },
  {
    path: paths.servers,
    words: ['Total', 'Online', 'Uninstalled', 'Kubernetes Nodes', 'Active', '42 cores', '42 GB'],
  },
  { path: paths.alerts, words: ['1h', '6h', '12h', '24h', 'All servers'] },
  { path: paths.activity, words: ['1h', '6h', '12h', '24h', 'All servers', 'CPU', 'Memory', 'Disk'] },
  { path: paths.network, words: ['Inbound', 'Outbound', 'MB/s', 'Bandwidth', 'Connection states', 'All servers'] },
  {
    path: paths.processes,
    words: [
      'PID',
      'Name',
      'Command',
      'User',
      'Status',
      'CPU',
      'Memory',
      'Threads',
      'Started',
      'Uptime',
      'All servers',
      'postgres',
      'Sleeping',
      '3d 4h',
    ],
  },
  {
    path: paths.aiChat,
    words: [
      'AI Assistant',
      'What is the CPU load on my servers?',
      'Are there any active alerts?',
      'Which processes consume the most memory?',
      'Show statistics for the last hour',
      'nothing leaves this machine',
      'AI can make mistakes. Check important information.',
    ],
  },
  {
    path: paths.setup,
    words: [
      'Linux',
      'macOS',
      'systemd',
      'AMD64, ARM64',
      'appear in 1-2 minutes',
      'metrics are sent every 60 seconds',
      'Copy command',
      'Check Now',
    ],
  },
  { path: `${paths.setup}?on=macos`, words: ['launchd'] },
  {
    path: `${paths.setup}?on=kubernetes`,
    words: [
      'Kubernetes 1.19+',
      'Helm 3.0+',
      'metrics-server',
      'plimsoll-system',
      'Prometheus and kube-state-metrics',
      'Telegram notifications',
      'node-exporter stays off',
    ],
  },
  {
    path: paths.profile,
    words: [
      'Name',
      'Email',
      'GitHub',
      'Last login',
      'change-owner',
      'Reveal',
      'Generate',
      'Servers',
      'Kubernetes nodes',
    ],
  },
  {
    path: paths.kubernetes,
    words: [
      'Kubernetes Cluster',
      'Healthy',
      'Real-time monitoring of nodes, pods, and resource usage',
      'Overview',
      'Nodes',
      'Pods',
      'Avg CPU Usage',
      'Avg Memory Usage',
      'View All Nodes',
      'View All Pods',
      'Pods with Most Restarts',
      '#1',
      '42 restarts',
    ],
  },
  {
    path: paths.kubernetesNodes,
    words: ['Kubernetes Nodes', 'node-name', '42 pods', 'CPU', 'Memory', 'Disk', 'Uptime'],
  },
  {
    path: paths.kubernetesPods,
    words: ['Kubernetes Pods', 'Namespace resources', 'top 6 by CPU', 'Pod age', 'Search pods'],
  },
];
const SERVER = [
  'Active',
  'OS',
  'Cores',
  'Storage',
  'CLI',
  'Uptime',
  'CPU',
  'Memory',
  'Disk',
  'IOPS',
  'IO Wait',
  'Back to Servers',
  'Refresh',
  'Server Information',
  'Active Alerts',
  'Network Observability',
  'Top Network Connections',
  'Recent Activity',
];
const PUBLIC: readonly { path: string; words: readonly string[] }[] = [
  {
    path: paths.landing,
    words: [
      'Get Started',
      'Features',
      'Pricing',
      'Source',
      'Next to the traditional tools',
      'Sign up',
      'Install agent',
      'Monitor',
      'Questions',
      'Terms',
      'Privacy',
      '/install.sh | sudo sh',
      'Free',
      '$0/month',
      'Up to 3 servers',
      '7 days of history',
      'Basic metrics',
      'Pro',
      '$9/month',
      'Up to 25 servers',
      '30 days of history',
      'Priority support',
      'Business',
      '$29/month',
      'Unlimited servers',
      '90 days of history',
      '99.9% SLA',
    ],
  },
  { path: paths.login, words: ['Continue with GitHub', 'Continue with Google', 'Terms of Service', 'Privacy Policy'] },
  {
    path: paths.terms,
    words: [
      'Last updated October 14, 2025',
      'at least 18 years old',
      'Home',
      'Privacy Policy',
      'Sign In',
      'A session token lasts 24 hours',
      'deleted within 30 days of termination',
      'Metrics are kept for 1 year, alerts for 2 years, events for 1 year and processes for 14 days',
    ],
  },
  {
    path: paths.privacy,
    words: [
      'Last updated October 14, 2025',
      'Home',
      'Terms of Service',
      'Sign In',
      'under 18',
      'IPv4 is cut to its /24 network, IPv6 to its /64',
      'an answer within 30 days',
      'within 72 hours',
      'Access is role-based',
    ],
  },
];

/** Returns all text of the page for eyes and screen readers, in single spaces. */
function wordsOfPage(): string {
  const said = [...document.querySelectorAll('[aria-label], [placeholder]')].map(
    (each) => `${each.getAttribute('aria-label') ?? ''} ${each.getAttribute('placeholder') ?? ''}`,
  );
  const controls = [...document.querySelectorAll('button, a')].map((each) => each.textContent);
  return [document.body.innerText, ...controls, ...said].join(' ').replaceAll(/\s+/g, ' ');
}
/** Returns the words that the page lacks. */
const missing = (words: readonly string[]) => words.filter((each) => !wordsOfPage().includes(each));

const NOW = Date.now() / 1000;
const PROCESSES = filled('/api/data/processes').data as { processes: object[] };
const SERVER_PAGE = paths.server(ID);
/** The subject of the words above, where it is no name of a field. */
const ANSWERS: Answers = {
  'GET /api/data/processes': {
    data: {
      ...PROCESSES,
      // 3 days, 4 hours and a half ago: half an hour from either edge of what the page says.
      processes: [{ ...PROCESSES.processes[0], name: 'postgres', status: 'S', start_time: NOW - 3 * 86_400 - 16_200 }],
    },
  },
  'GET /api/ai/health': filled('/api/ai/health', { mode: 'analyser', sent_to: null, reason: null }),
  'GET /api/kubernetes/cluster/overview': filled('/api/kubernetes/cluster/overview', { failed_pods: 0, degraded: [] }),
  'GET /api/plans': {
    data: {
      plans: [
        { name: 'Free', usd_per_month: 0, servers: 3, history_days: 7, more: ['Basic metrics'] },
        { name: 'Pro', usd_per_month: 9, servers: 25, history_days: 30, more: ['Priority support'] },
        { name: 'Business', usd_per_month: 29, servers: null, history_days: 90, more: ['99.9% SLA'] },
      ],
      enforced: false,
    },
  },
};

describe('the words of the specification', () => {
  it.each([...SCREENS, { path: SERVER_PAGE, words: SERVER }])('stand on $path', async ({ path, words }) => {
    const { settled } = await drawApp(path, { answers: ANSWERS, width: 1440 });
    await settled();
    await expect.poll(() => missing(words)).toEqual([]);
  });

  it.each(PUBLIC)('stand on $path', async ({ path, words }) => {
    const { settled } = await drawApp(path, { answers: ANSWERS, width: 1440, isSignedIn: false });
    await settled();
    await expect.poll(() => missing(words)).toEqual([]);
  });
});

describe('the words of a sign-in', () => {
  const github = { id: 'github', name: 'GitHub', enabled: true, reason: null };
  const methods = { 'GET /api/auth/methods': { data: { methods: [github], first_run: false } } };

  it('name what it is doing, and what its answer lacks', async () => {
    const asked = Promise.withResolvers<{ data: object }>();
    await drawApp(paths.login, {
      isSignedIn: false,
      answers: { ...methods, 'GET /api/auth/github': () => asked.promise },
    });
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await expect.element(page.getByRole('button', { name: 'Connecting...' })).toBeDisabled();
    await expect.element(page.getByRole('button', { name: 'Continue with Google' })).toBeDisabled();
    asked.resolve({ data: {} });
    await expect.element(page.getByText('Login error: Invalid auth response: missing auth_url')).toBeVisible();
  });

  it('say that it is being completed', async () => {
    await drawApp(`${paths.callback}?token=held`, {
      isSignedIn: false,
      answers: { 'POST /api/auth/exchange': 'pending' },
    });
    await expect.element(page.getByRole('heading', { name: 'Completing authentication...' })).toBeVisible();
  });
});

describe('the landing page', () => {
  it('leads who is signed in to the dashboard', async () => {
    await drawApp(paths.landing);
    await page.getByRole('link', { name: 'Go to Dashboard' }).first().click();
    await expect.element(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
    expect(window.location.pathname).toBe(paths.dashboard);
  });
});

describe('the chat', () => {
  const ANSWER = {
    answer: 'No model is configured: this is what the data says.',
    mode: 'analyser',
    sources: [{ title: 'Alerts', href: paths.alerts }],
    charts: [],
    unmatched: [],
    conversation_id: null,
  };
  const streamed = () =>
    new Response(`event: answer\ndata: ${JSON.stringify(ANSWER)}\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    });
  const health = filled('/api/ai/health', { mode: 'analyser', sent_to: null, reason: null });

  it('fills in an example, sends on Enter, and says what failed', async () => {
    let asked = 0;
    const { callsTo } = await drawApp(paths.aiChat, {
      answers: {
        'GET /api/ai/health': health,
        'POST /api/ai/chat': () => (asked++ === 0 ? streamed() : { status: 503, detail: 'the model is asleep' }),
      },
    });
    const bodies = () => callsTo('POST', '/api/ai/chat').map(({ body }) => body);
    const send = page.getByRole('button', { name: 'Send' });
    const question = page.getByLabelText('Question');
    await page.getByRole('button', { name: 'Are there any active alerts?' }).click();
    await expect.element(question).toHaveValue('Are there any active alerts?');
    await userEvent.type(question, '{Shift>}{Enter}{/Shift}');
    expect(bodies()).toEqual([]);
    await userEvent.type(question, '{Backspace}{Enter}');
    await expect.element(page.getByText(ANSWER.answer)).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Alerts', exact: true }).last()).toBeVisible();
    await expect.element(page.getByText('You', { exact: true })).toBeVisible();
    expect(bodies()).toMatchObject([{ question: 'Are there any active alerts?', time_range_minutes: 60 }]);
    await expect.element(send).toBeDisabled();
    await question.fill('   ');
    await expect.element(send).toBeDisabled();
    await question.fill('again');
    await send.click();
    await expect.element(page.getByText('▲ Error: the model is asleep')).toBeVisible();
    expect(bodies()[1]).toMatchObject({ conversation_history: [{ role: 'user' }, { role: 'assistant' }] });
  });

  it('takes no question while the assistant is off', async () => {
    await drawApp(paths.aiChat, { answers: { 'GET /api/ai/health': { status: 500, detail: 'broken' } } });
    await expect.element(page.getByText('AI service is unavailable. Check API key settings.')).toBeVisible();
    await expect.element(page.getByLabelText('Question')).toBeDisabled();
  });
});
