/** Every polling interval and every cache time of the web, in milliseconds. */
const SECOND = 1000;

export const POLL = {
  sidebarAlerts: 15 * SECOND,
  dashboardActivity: 10 * SECOND,
  dashboardMetrics: 30 * SECOND,
  /** A day in half-hours: a minute changes little of it. */
  cardSparks: 60 * SECOND,
  serverMetrics: 30 * SECOND,
  serverAlerts: 30 * SECOND,
  serverNetwork: 30 * SECOND,
  alerts: 15 * SECOND,
  /** Cause of an open incident: the API computes it again when alerts join. */
  causes: 15 * SECOND,
  /** Channels and their delivery log, while someone looks at them. */
  deliveries: 15 * SECOND,
  metricsTimeseries: 15 * SECOND,
  networkTimeseries: 30 * SECOND,
  networkMetrics: 60 * SECOND,
  processes: 10 * SECOND,
  containers: 30 * SECOND,
  checks: 15 * SECOND,
  /** Squares of the dashboard: a check that fails is an alert there at once. */
  checkSquares: 30 * SECOND,
  kubernetesOverview: 30 * SECOND,
  kubernetesNodes: 30 * SECOND,
  kubernetesNodeHistory: 60 * SECOND,
  /** A plan is computed every five minutes. */
  capacity: 60 * SECOND,
  /** Not polled by the letter of the contract; both lists are worth as much as the figures in them. */
  servers: 30 * SECOND,
  kubernetesPods: 30 * SECOND,
  /** While the cluster collector reads a requested log. */
  podLogs: 2 * SECOND,
  /** A tail that is shown. */
  podLogTail: 5 * SECOND,
  changeLedger: 30 * SECOND,
  /** A minute of a log is sent when it is over. */
  lines: 30 * SECOND,
  /** Between two rounds of asking again because the server said that something changed. */
  changes: 10 * SECOND,
  /** Between two probes of a connection that may be lost. */
  connection: 3 * SECOND,
  /** Marks of the scrubber: change events bring new ones at once, and a day's track shows no shorter time. */
  scrubberMarks: 5 * 60 * SECOND,
  installationHealth: 15 * SECOND,
  /** While Setup is open: it flips by itself when the first report arrives. */
  setupConnection: 5 * SECOND,
} as const;

/** Random delay before the browser reopens a refused event stream. */
export const STREAM_RETRY = { least: 5 * SECOND, most: 15 * SECOND } as const;

/** A probe that takes longer counts as failed. */
export const PROBE_TIMEOUT = 10 * SECOND;

export const STALE = {
  profile: 60 * SECOND,
  alerts: 10 * SECOND,
  aiHealth: 60 * SECOND,
  other: 5 * 60 * SECOND,
} as const;

/** Times of the interface itself. */
export const UI = {
  copyFeedback: 2 * SECOND,
  undoToast: 10 * SECOND,
  /** After the last change of a rule until its rehearsal is requested. */
  rehearsalDelay: 400,
  callbackRedirect: 3 * SECOND,
  setupCheckAfterReady: 500,
  setupProgress: { plain: 60 * SECOND, prometheus: 90 * SECOND },
  setupStage: { starting: 20 * SECOND, connecting: 40 * SECOND, connectingWithPrometheus: 50 * SECOND },
  setupTroubleAfter: 120 * SECOND,
} as const;

/** Number of rows that each screen requests and shows. */
export const ROWS = {
  dashboardServers: 100,
  /** The Servers page lists the whole fleet: the most one call gives. */
  allServers: 1000,
  dashboardAlertsAsked: 100,
  /** Maximum of one call. A list requests it when more alerts are open than its page holds, because equal alerts are one row. */
  openAlerts: 1000,
  dashboardAlerts: 6,
  dashboardActivityAsked: 50,
  dashboardActivity: 4,
  sidebarAlerts: 100,
  alerts: 100,
  deliveries: 50,
  silences: 200,
  /** The most that one call gives; an account has at most 500. */
  alertRules: 1000,
  activity: 100,
  /** The page of changes. */
  changes: 100,
  placeChanges: 8,
  drawerChanges: 3,
  /** Below a chart and in a lane. */
  chartChanges: 300,
  /** Folded entries of the Activity page. */
  timeline: 200,
  /** Below a server's charts: the most one call gives; what is older is counted. */
  chartEvents: 1000,
  serverAlertsAsked: 10,
  serverAlerts: 5,
  serverActivity: 10,
  serverConnections: 20,
  processesAsked: 50,
  processes: 20,
  /** Containers of one page of their list. */
  containers: 50,
  /** Checks of their list, the worst first. */
  checks: 500,
  checkSquares: 120,
  setupServers: 1,
  setupNodes: 3,
} as const;
