import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from './paths.ts';
import { launchChromium } from './testing/chromium.ts';
import { reportCluster } from './testing/cluster.ts';
import { enrol, enrolmentToken } from './testing/fleet.ts';
import { openPage, settled } from './testing/open-page.ts';
import { startProduct } from './testing/product.ts';
import type { Product } from './testing/product.ts';

const now = () => Date.now() / 1000;
/** 3 days, 4 hours and a half ago: half an hour from either edge of what the page says. */
const STARTED = now() - 3 * 86_400 - 4.5 * 3600;
const sample = () => ({
  cpu: 41,
  memory: 52,
  disk: 63,
  processes: [
    {
      pid: 4021,
      name: 'postgres',
      command: '/usr/lib/postgresql/18/bin/postgres -D /var/lib/postgresql',
      user: 'postgres',
      status: 'S',
      cpu_percent: 12,
      memory_percent: 86,
      memory_bytes: 4 * 2 ** 30,
      threads: 9,
      started_at: STARTED,
    },
  ],
  connections: [
    {
      remote_ip: '203.0.113.0',
      remote_port: 443,
      local_port: 51_022,
      protocol: 'tcp' as const,
      family: 'ipv4' as const,
      state: 'ESTABLISHED',
      pid: -1,
      importance_score: 91,
    },
  ],
  events: [
    {
      id: 'start-1',
      event_type: 'service_start' as const,
      service_name: 'postgresql',
      process_name: null,
      message: 'postgresql started',
      severity: 'info' as const,
      ts: now() - 30,
    },
  ],
});
const CLUSTER = {
  uid: '5f0c3a52-0000-4000-8000-000000000002',
  nodes: [
    {
      name: 'k8s-node-1',
      cpu: 40,
      memory: 50,
      pods: [{ name: 'api-1', namespace: 'shop', cores: 0.4, memory: 200, restarts: 3 }],
    },
    { name: 'k8s-node-2', cpu: 20, memory: 30, pods: [] },
  ],
};

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
      'postgresql started',
      'Running',
      'Pending',
      'Failed',
    ],
  },
  {
    path: paths.servers,
    words: ['Total', 'Online', 'Uninstalled', 'Kubernetes Nodes', 'words-01', 'Active', '8 cores', '32 GB', '500 GB'],
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
      '3 restarts',
    ],
  },
  {
    path: paths.kubernetesNodes,
    words: ['Kubernetes Nodes', 'k8s-node-1', '1 pod', 'CPU', 'Memory', 'Disk', 'Uptime'],
  },
  {
    path: paths.kubernetesPods,
    words: ['Kubernetes Pods', 'Namespace resources', 'top 6 by CPU', 'Pod age', 'Search pods'],
  },
];
const SERVER = [
  'words-01',
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
  '203.0.113.0',
  'High',
  'N/A',
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
      'Chat alerts',

      'Pro',
      '$9/month',
      'Up to 25 servers',
      '30 days of history',
      'All metrics plus AI analysis',
      'Priority support',
      'Business',
      '$29/month',
      'Unlimited servers',
      '90 days of history',
      'Team collaboration',
      'Custom webhooks',
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

/** A server that enrolled and has said nothing yet. */
const NOTHING_YET = [
  'Installing',
  'No metrics available',
  'No metrics data available',
  'No network data available',
  'No connection data available',
];

/** Time until a panel is full on a busy machine. */
const FILLS = { timeout: 15_000 };

/** Returns all text of a page for eyes and screen readers, in single spaces. */
async function wordsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const said = [...document.querySelectorAll('[aria-label], [placeholder]')].map(
      (each) => `${each.getAttribute('aria-label') ?? ''} ${each.getAttribute('placeholder') ?? ''}`,
    );
    const controls = [...document.querySelectorAll('button, a')].map((each) => each.textContent);
    return [document.body.innerText, ...controls, ...said].join(' ').replaceAll(/\s+/g, ' ');
  });
}

describe('the words of the specification', () => {
  let product: Product;
  let browser: Browser;
  let serverPath = '';
  let silentPath = '';
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
    const token = await enrolmentToken(product.origin, product.token);
    const { id } = await enrol(product.origin, token, { hostname: 'words-01', sample, history: 600 });
    serverPath = paths.server(id);
    const silent = await enrol(product.origin, token, { hostname: 'silent-01', sample: () => null });
    silentPath = paths.server(silent.id);
    await reportCluster(product.origin, product.token, CLUSTER);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  /** Opens a page; the returned function lists the words that the page still lacks: a panel may fill later. */
  async function missingOn(page: Page, path: string, words: readonly string[]): Promise<() => Promise<string[]>> {
    await page.goto(path);
    await settled(page);
    return async () => {
      const said = await wordsOf(page);
      return words.filter((each) => !said.includes(each)).map((each) => `${path}: ${each}`);
    };
  }

  it('stand on every screen behind sign-in', async () => {
    const { page, context } = await openPage(browser, product);
    const { nodes } = await product.get<{ nodes: { server_id: string; node_name: string }[] }>('/api/kubernetes/nodes');
    const idle = nodes.find(({ node_name: name }) => name === 'k8s-node-2');
    const screens = [
      ...SCREENS,
      { path: serverPath, words: SERVER },
      { path: silentPath, words: NOTHING_YET },
      { path: paths.kubernetesNode(idle?.server_id ?? ''), words: ['No pods found on this node', 'Resource history'] },
    ];
    for (const { path, words } of screens) await expect.poll(await missingOn(page, path, words), FILLS).toEqual([]);
    await context.close();
  });

  it('stand on every public page', async () => {
    const { page, context } = await openPage(browser, product, { width: 1440, theme: 'dark' }, true);
    for (const { path, words } of PUBLIC) await expect.poll(await missingOn(page, path, words), FILLS).toEqual([]);
    await context.close();
  });

  it('say that a server could not be loaded', async () => {
    const { page, context } = await openPage(browser, product);
    await page.route(`**/api${serverPath}`, (route) =>
      route.fulfill({ status: 500, json: { success: false, detail: 'broken', code: 'internal' } }),
    );
    await page.goto(serverPath);
    await page.getByRole('heading', { name: 'Failed to load server details' }).waitFor();
    await page.getByRole('link', { name: 'Back to Servers' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(paths.servers);
    await context.close();
  });

  it('say what a sign-in is doing, and what its answer lacks', async () => {
    const { page, context } = await openPage(browser, product, { width: 1440, theme: 'dark' }, true);
    const { promise, resolve } = Promise.withResolvers<void>();
    const github = { id: 'github', name: 'GitHub', enabled: true, reason: null };
    await page.route('**/api/auth/methods', (route) =>
      route.fulfill({ json: { success: true, data: { methods: [github], first_run: false } } }),
    );
    await page.route('**/api/auth/github*', async (route) => {
      await promise;
      await route.fulfill({ json: { success: true, data: {} } });
    });
    await page.goto(paths.login);
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Connecting...' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Continue with Google' }).isDisabled()).toBe(true);
    const callback = await context.newPage();
    await callback.route('**/api/auth/exchange', (route) => promise.then(() => route.abort()));
    await callback.goto(`${paths.callback}?token=held`);
    await callback.getByRole('heading', { name: 'Completing authentication...' }).waitFor();
    resolve();
    await page.getByText('Login error: Invalid auth response: missing auth_url').waitFor();
    await context.close();
  });

  it('are what the landing page says to who is signed in', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(paths.landing);
    await page.getByRole('link', { name: 'Go to Dashboard' }).first().click();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(paths.dashboard);
    await context.close();
  });
});

describe('the chat', () => {
  let product: Product;
  let browser: Browser;
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('fills in an example, sends on Enter, and says what failed', async () => {
    const { page, context } = await openPage(browser, product);
    const asked: unknown[] = [];
    // No model is configured here: the first answer is the analyser's own, the second fails at its address.
    await page.route('**/api/ai/chat', (route) => {
      asked.push(route.request().postDataJSON());
      return asked.length === 1
        ? route.continue()
        : route.fulfill({ status: 503, json: { success: false, detail: 'the model is asleep', code: 'unavailable' } });
    });
    await page.goto(paths.aiChat);
    const send = page.getByRole('button', { name: 'Send' });
    await page.getByRole('button', { name: 'Are there any active alerts?' }).click();
    const question = page.getByLabel('Question');
    await expect.poll(() => question.inputValue()).toBe('Are there any active alerts?');
    await question.press('Shift+Enter');
    expect(asked).toEqual([]);
    await question.press('Enter');
    await page.getByText('No model is configured: this is what the data says.').waitFor();
    await page.getByRole('link', { name: 'Alerts', exact: true }).last().waitFor();
    await page.getByText('You', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'AI Assistant' }).first().waitFor();
    expect(asked[0]).toMatchObject({ question: 'Are there any active alerts?', time_range_minutes: 60 });
    await expect.poll(() => send.isDisabled()).toBe(true);
    await question.fill('   ');
    await expect.poll(() => question.inputValue()).toBe('   ');
    expect(await send.isDisabled()).toBe(true);
    await question.fill('again');
    await send.click();
    await page.getByText('❌ Error: the model is asleep').waitFor();
    expect(asked[1]).toMatchObject({ conversation_history: [{ role: 'user' }, { role: 'assistant' }] });
    await page.route('**/api/ai/health', (route) => route.fulfill({ status: 500, json: { success: false } }));
    await page.reload();
    await page.getByText('AI service is unavailable. Check API key settings.').waitFor();
    expect(await question.isDisabled()).toBe(true);
    await context.close();
  });
});
