/** One promise of the specification: its words or numbers, the test that fails when they are broken, and their source. */
export interface SpecRow {
  /** The part of the interface. */
  where: string;
  /** Stands in the test, word for word. */
  says: string;
  test: string;
  /** Stands in the interface's own code, in the contract or in the API's plans: the words themselves, or what puts them together. */
  source: string;
}

const WORDS = 'web/src/ui-text.e2e.test.ts';
const STATES = 'web/src/states.e2e.test.ts';
const KUBERNETES = 'web/src/kubernetes.e2e.test.ts';
const MOVES = 'web/src/navigation.e2e.test.ts';
const ROUTES = 'web/src/routes.e2e.test.ts';
const SETUP = 'web/src/pages/setup/setup.e2e.test.ts';
const PROFILE = 'web/src/pages/profile/profile.e2e.test.ts';
const LOGIN = 'web/src/pages/login/login.e2e.test.ts';
const POLLING = 'web/src/api/polling.test.ts';
const HEADROOM = 'api/contract/rules/headroom.test.ts';
const K8S_WORDS = 'web/src/components/kubernetes/kubernetes-words.test.ts';
const CONNECTIONS = 'web/src/format/connection-words.test.ts';

/** What test and code say alike, or what the test says and what the code says for it. */
type Promised = string | readonly [says: string, source: string];

const rows = (where: string, test: string, promised: readonly Promised[]): SpecRow[] =>
  promised.map((each) => {
    const [says, source] = typeof each === 'string' ? [each, each] : each;
    return { where, says, test, source };
  });

const PUBLIC_PAGES: readonly SpecRow[] = [
  ...rows('landing', WORDS, [
    'Get Started',
    'Go to Dashboard',
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
    ['/install.sh | sudo sh', '/install.sh'],
  ]),
  ...rows('plans', WORDS, [
    ['$0/month', 'usdPerMonth: 0'],
    ['$9/month', 'usdPerMonth: 9'],
    ['$29/month', 'usdPerMonth: 29'],
    ['Up to 3 servers', 'servers: 3'],
    ['7 days of history', 'historyDays: 7'],
    'Basic metrics',
    'Chat alerts',
    ['Up to 25 servers', 'servers: 25'],
    ['30 days of history', 'historyDays: 30'],
    'All metrics plus AI analysis',
    'Priority support',
    'Unlimited servers',
    ['90 days of history', 'historyDays: 90'],
    'Team collaboration',
    'Custom webhooks',
    '99.9% SLA',
  ]),
  ...rows('login', WORDS, [
    ['Continue with GitHub', 'Continue with ${name}'],
    ['Continue with Google', 'name="Google"'],
    'Connecting...',
    'Login error: ',
    'Invalid auth response: missing auth_url',
    'Terms of Service',
    'Privacy Policy',
  ]),
  ...rows('callback', WORDS, ['Completing authentication...']),
  ...rows('callback', LOGIN, ['Authentication Failed', 'No authentication token received', 'Redirecting to login...']),
  ...rows('callback', LOGIN, [['/auth/callback?token=', 'callbackToken']]),
  ...rows('terms', WORDS, [
    ['Last updated October 14, 2025', "lastUpdated: 'October 14, 2025'"],
    ['at least 18 years old', 'minimumAge: 18'],
    ['A session token lasts 24 hours', 'sessionHours: 24'],
    ['deleted within 30 days of termination', 'accountDeletionDays: 30'],
    ['Metrics are kept for 1 year', "metrics: '1 year'"],
    ['alerts for 2 years', "alerts: '2 years'"],
    ['events for 1 year', "events: '1 year'"],
    ['processes for 14 days', "processes: '14 days'"],
    'Home',
    'Sign In',
  ]),
  ...rows('privacy', WORDS, [
    ['IPv4 is cut to its /24 network, IPv6 to its /64', 'IPv4 is cut to its /24 network, IPv6 to its /64'],
    ['an answer within 30 days', 'requestDays: 30'],
    ['within 72 hours', 'breachNoticeHours: 72'],
    'Access is role-based',
  ]),
];

const LAYOUT: readonly SpecRow[] = [
  ...rows(
    'sidebar',
    WORDS,
    ['Dashboard', 'Servers', 'Kubernetes', 'Alerts', 'Activity', 'Network', 'Processes', 'AI Chat', 'Setup'].map(
      (label) => [`'${label}'`, `label: '${label}'`] as const,
    ),
  ),
  ...rows('sidebar', WORDS, ['Profile', 'Logout']),
  ...rows('sidebar', MOVES, [
    ['toBe(260)', '260'],
    ['toBe(88)', '88'],
  ]),
  ...rows('sidebar badge', 'web/src/state/read-alerts.test.ts', [
    ['counts critical, error and warning, never info', 'unreadAlerts'],
    ['marks all of them read at once', 'markRead'],
  ]),
  ...rows('who is not signed in', ROUTES, [['waitForURL(`**${paths.login}`)', 'paths.login']]),
  ...rows('an unknown address', ROUTES, [['waitForURL(`**${paths.landing}`)', 'paths.landing']]),
  ...rows('logout', LOGIN, [["getItem('plimsoll.token'))).toBeNull()", 'plimsoll.token']]),
  ...rows('failures of a call', 'web/src/api/client.test.ts', ['Unknown error', 'Request failed']),
];

const SERVER_SCREENS: readonly SpecRow[] = [
  ...rows('dashboard', WORDS, [
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
    'Pending',
    'Failed',
  ]),
  ...rows('dashboard', STATES, ['Install Agent']),
  ...rows('servers', WORDS, [
    ...['Total', 'Online', 'Uninstalled', 'Kubernetes Nodes'].map((label) => [`'${label}'`, label] as const),
    ['8 cores', 'cores'],
  ]),
  ...rows('server', WORDS, [
    ...['OS', 'Cores', 'Storage', 'CLI', 'Uptime'].map((name) => [`'${name}'`, `name: '${name}'`] as const),
    ...['CPU', 'Memory', 'Disk', 'IOPS', 'IO Wait'].map((name) => [`'${name}'`, `'${name}'`] as const),
    'Back to Servers',
    'Refresh',
    'Server Information',
    'Network Observability',
    'Top Network Connections',
    'Failed to load server details',
    'No metrics available',
    'No network data available',
    'No metrics data available',
    'No connection data available',
  ]),
  ...rows('server', STATES, ['Server not found']),
  ...rows('a server without metrics', WORDS, ['Installing']),
  ...rows('ranges', 'web/src/time/range.test.ts', [["'1h', '6h', '12h', '24h'", '[1, 6, 12, 24]']]),
  ...rows('ranges', 'web/src/time/range.test.ts', [['falls back to 24 h', 'hours: 24']]),
  ...rows('alerts', STATES, ['No alerts in this time range']),
  ...rows('alerts', WORDS, ['All servers']),
  ...rows('buckets of the alert chart', 'web/src/pages/alerts/chart-buckets.test.ts', [
    ['[1, 300]', '300'],
    ['[6, 900]', '900'],
    ['[12, 1800]', '1800'],
    ['[24, 3600]', '3600'],
  ]),
  ...rows('ages', 'web/src/time/age.test.ts', [
    ["'Unknown'", "'Unknown'"],
    ["[720, '12m']", 'uptimeText'],
    ["[15_120, '4h 12m']", 'uptimeText'],
    ["[533_000, '6d 4h']", 'uptimeText'],
  ]),
  ...rows('activity', 'web/src/components/chart/points/pad-single-point.test.ts', [
    ['five minutes before and after', 'PAD_SECONDS = 300'],
  ]),
  ...rows('network', STATES, ['No bandwidth data available', 'No connection data available']),
  ...rows('network', WORDS, ['Inbound', 'Outbound', 'MB/s', 'Connection states']),
  ...rows('network', 'web/src/format/figures.test.ts', [['divides bandwidth by 1,048,576', '1_048_576']]),
  ...rows('processes', WORDS, ['PID', 'Name', 'Command', 'User', 'Status', 'Threads', 'Started', 'Uptime']),
  ...rows('processes', STATES, [
    'No process data available',
    'Data will appear when your servers start sending metrics.',
  ]),
  ...rows('processes', 'web/src/format/process-words.test.ts', [
    ["['R', 'Running', 'ok']", 'Running'],
    ["['S', 'Sleeping', 'plain']", 'Sleeping'],
    ["['D', 'Disk Sleep', 'near']", 'Disk Sleep'],
    ["['Z', 'Zombie', 'over']", 'Zombie'],
    ["['T', 'Stopped', 'near']", 'Stopped'],
    ["['I', 'Idle', 'plain']", 'Idle'],
    ["['W', 'Waiting', 'plain']", 'Waiting'],
    ["['X', 'Dead', 'plain']", 'Dead'],
    ['keeps one row per server and pid', 'distinctProcesses'],
    ['expect(HIGH_PERCENT).toBe(80)', 'HIGH_PERCENT = 80'],
  ]),
  ...rows('memory in steps of 1024', 'web/src/format/figures.test.ts', [
    ["[1023, '1,023 KB']", 'kilobytesQuantity'],
    ["[1024, '1 MB']", 'kilobytesQuantity'],
  ]),
  ...rows('AI chat', WORDS, [
    'What is the CPU load on my servers?',
    'Are there any active alerts?',
    'Which processes consume the most memory?',
    'Show statistics for the last hour',
    'AI service is unavailable. Check API key settings.',
    'AI can make mistakes. Check important information.',
    ["getByText('You', { exact: true })", "user: 'You'"],
    ["name: 'AI Assistant'", "assistant: 'AI Assistant'"],
    ['❌ Error: ', '❌ Error: '],
    ['time_range_minutes: 60', 'AI_LIMITS.defaultRangeMinutes'],
    ["press('Shift+Enter')", 'shiftKey'],
  ]),
];

const FIGURES: readonly SpecRow[] = [
  ...rows('usage colours', HEADROOM, [
    ["[59.9, 80, 'ok']", 'bandOf'],
    ["[60, 80, 'near']", 'bandOf'],
    ["[80, 80, 'over']", 'bandOf'],
    ["[70, 90, 'near']", 'disk: 90'],
    ["['ok', 'near', 'over']", 'nearPointsOf'],
  ]),
  ...rows('time-wait and close-wait', CONNECTIONS, [
    ["[1001, 'near']", 'TIME_WAIT_BANDS'],
    ["[2001, 'over']", 'TIME_WAIT_BANDS'],
    ["[51, 'near']", 'CLOSE_WAIT_BANDS'],
    ["[101, 'over']", 'CLOSE_WAIT_BANDS'],
  ]),
  ...rows('importance', CONNECTIONS, [
    ["[80, 'High']", "'High'"],
    ["[50, 'Medium']", "'Medium'"],
    ["[49, 'Low']", "'Low'"],
  ]),
];

/** "name, constant, seconds": the line of the test that holds it, and the constant in its source. */
const constant = (line: string): Promised => [line, /\.(\w+), /.exec(line)?.[1] ?? line];

const INTERVALS: readonly SpecRow[] = [
  ...rows(
    'intervals',
    POLLING,
    [
      "'sidebar notifications', POLL.sidebarAlerts, 15",
      "'dashboard activity', POLL.dashboardActivity, 10",
      "'dashboard metrics', POLL.dashboardMetrics, 30",
      "'server detail metrics', POLL.serverMetrics, 30",
      "'server detail active alerts', POLL.serverAlerts, 30",
      "'server detail network', POLL.serverNetwork, 30",
      "'alerts page notifications', POLL.alerts, 15",
      "'alerts page is stale after', STALE.alerts, 10",
      "'metrics timeseries', POLL.metricsTimeseries, 15",
      "'network timeseries', POLL.networkTimeseries, 30",
      "'network metrics', POLL.networkMetrics, 60",
      "'processes', POLL.processes, 10",
      "'AI health is cached for', STALE.aiHealth, 60",
      "'other queries are cached for', STALE.other, 300",
      "'profile is stale after', STALE.profile, 60",
      "'kubernetes overview', POLL.kubernetesOverview, 30",
      "'kubernetes nodes', POLL.kubernetesNodes, 30",
      "'kubernetes node history', POLL.kubernetesNodeHistory, 60",
    ].map(constant),
  ),
  ...rows(
    'times of the interface',
    POLLING,
    [
      "'copy feedback', UI.copyFeedback, 2",
      "'redirect after a failed callback', UI.callbackRedirect, 3",
      "'setup progress', UI.setupProgress.plain, 60",
      "'setup progress with Prometheus', UI.setupProgress.prometheus, 90",
      "'setup stage starting', UI.setupStage.starting, 20",
      "'setup stage connecting', UI.setupStage.connecting, 40",
      "'setup stage connecting with Prometheus', UI.setupStage.connectingWithPrometheus, 50",
      "'setup check after ready', UI.setupCheckAfterReady, 0.5",
    ].map(constant),
  ),
  ...rows(
    'counts',
    POLLING,
    [
      "'sidebar notifications asked', ROWS.sidebarAlerts, 100",
      "'dashboard servers asked', ROWS.dashboardServers, 100",
      "'dashboard alerts asked', ROWS.dashboardAlertsAsked, 100",
      "'dashboard alerts shown', ROWS.dashboardAlerts, 6",
      "'dashboard activity asked', ROWS.dashboardActivityAsked, 50",
      "'dashboard events shown', ROWS.dashboardActivity, 4",
      "'alerts page asked', ROWS.alerts, 100",
      "'server alerts asked', ROWS.serverAlertsAsked, 10",
      "'server alerts shown', ROWS.serverAlerts, 5",
      "'server events shown', ROWS.serverActivity, 10",
      "'server connections shown', ROWS.serverConnections, 20",
      "'processes asked', ROWS.processesAsked, 50",
      "'processes shown', ROWS.processes, 20",
      "'setup asks servers', ROWS.setupServers, 1",
      "'setup asks nodes', ROWS.setupNodes, 3",
    ].map(constant),
  ),
];

const KUBERNETES_SCREENS: readonly SpecRow[] = [
  ...rows('cluster without nodes', KUBERNETES, [
    'Kubernetes Monitoring',
    'Monitor nodes, pods, and resources in real-time',
    'Get Started with Kubernetes Monitoring',
    'Setup Kubernetes Connector',
  ]),
  ...rows('cluster', KUBERNETES, [
    'Kubernetes Cluster',
    'Real-time monitoring of nodes, pods, and resource usage',
    ['2 Ready', '} Ready'],
    ['Not Ready', 'Not Ready'],
    ['3 Running', '} Running'],
    ['1 Pending', '} Pending'],
    ['1 Failed', '} Failed'],
    'node(s) in cluster',
    'pod(s) running',
    'View All Nodes',
    'Top 5 pods in last 24 hours',
    ['14 restarts', '} restarts'],
    ['#1', '#'],
  ]),
  ...rows('cluster', WORDS, [
    'Avg CPU Usage',
    'Avg Memory Usage',
    'View All Pods',
    'Pods with Most Restarts',
    'Overview',
    'Nodes',
    'Pods',
  ]),
  ...rows('cluster health', 'web/src/components/kubernetes/cluster-health.test.ts', [
    ["toBe('Healthy')", "'Healthy'"],
    ["toBe('Warning')", "'Warning'"],
    ["toBe('Critical')", "'Critical'"],
    ['is Warning from 80 on', 'clusterHealth'],
  ]),
  ...rows('nodes', KUBERNETES, [
    'Monitor resource usage and health of your Kubernetes nodes',
    'No Kubernetes nodes found',
    'Node Name',
    'CPU Usage',
    'Memory Usage',
    'Disk Usage',
    'Uptime',
    ['Total: 2', 'Total: {'],
    ['Running: 2', 'Running: {'],
    ['ID: ', 'ID: '],
    ["getByText('N/A')", 'N/A'],
  ]),
  ...rows('nodes', WORDS, ['Kubernetes Nodes']),
  ...rows('nodes', K8S_WORDS, [['shortens a server id to 8 characters', 'shortId']]),
  ...rows('node', KUBERNETES, [
    'Node not found',
    ["'1h', '6h', '3d', '7d'", 'NODE_HISTORY_HOURS'],
    ["getAttribute('aria-pressed')).toBe('true')", 'DEFAULT_RANGE'],
  ]),
  ...rows('node', WORDS, ['No pods found on this node', 'Resource history']),
  ...rows('pods', KUBERNETES, [
    'No pods found',
    'No pods match your filters',
    'Search pods',
    'By owner',
    'possible zombie pod',
  ]),
  ...rows('pods', WORDS, ['Kubernetes Pods', 'top 6 by CPU']),
  ...rows('pods', K8S_WORDS, [
    ['writes CPU to 3 places and memory to none', 'coresText'],
    ["'under 1 h'", 'POD_AGE_BUCKETS'],
    ["'under 1 d'", '86_400'],
    ["'under 7 d'", '604_800'],
    ["'under 30 d'", '2_592_000'],
    ["'older'", "'older'"],
  ]),
];

const SETUP_AND_PROFILE: readonly SpecRow[] = [
  ...rows('setup', WORDS, [
    'systemd',
    'launchd',
    'appear in 1-2 minutes',
    'metrics are sent every 60 seconds',
    'Copy command',
    'Check Now',
    ['AMD64, ARM64', 'AMD64, ARM64'],
    ['Kubernetes 1.19+', "['Kubernetes', '1.19+']"],
    ['Helm 3.0+', "['Helm', '3.0+']"],
    'metrics-server',
    'Prometheus and kube-state-metrics',
    'Telegram notifications',
    'node-exporter stays off',
  ]),
  ...rows('setup', 'web/src/pages/setup/connection.test.ts', [
    'No servers connected yet',
    'No Kubernetes nodes connected yet',
    'Server connected successfully!',
    ['7 Kubernetes node(s) connected successfully!', 'Kubernetes node(s) connected successfully!'],
  ]),
  ...rows('setup', 'web/src/pages/setup/install-progress.test.ts', [
    ["'installing',", "'installing'"],
    ["'starting',", "'starting'"],
    ["'connecting',", "'connecting'"],
    ["'ready',", "'ready'"],
  ]),
  ...rows('setup', 'web/src/format/install-command.test.ts', [
    ['plimsoll-system', 'plimsoll-system'],
    ['--set prometheus.enabled=', 'prometheus.enabled'],
    ['--set kubeStateMetrics.enabled=', 'kubeStateMetrics.enabled'],
    ['appends Telegram only when it is on and both fields are filled', 'telegramOrNull'],
  ]),
  ...rows('setup', SETUP, [
    ['s of about 90 s', 's of about'],
    ['expect(await page.getByText(/s of about/).count()).toBe(0)', 'plan'],
  ]),
  ...rows('profile', WORDS, ['Name', 'Email', 'GitHub', 'Last login', 'change-owner', 'Kubernetes nodes']),
  ...rows('profile', STATES, ['Failed to load profile']),
  ...rows('profile', PROFILE, ['Token copied to clipboard!', 'Reveal', 'Generate']),
];

/** Every text, interval, threshold and count of the specification. `npm run check` reads it. */
export const SPEC_TABLE: readonly SpecRow[] = [
  ...PUBLIC_PAGES,
  ...LAYOUT,
  ...SERVER_SCREENS,
  ...FIGURES,
  ...INTERVALS,
  ...KUBERNETES_SCREENS,
  ...SETUP_AND_PROFILE,
];
