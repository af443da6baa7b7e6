import type { Accounts, Identity, Sessions, SignInCodes } from './accounts/store.ts';
import type { Agents, EnrolmentTokens, Servers } from './servers/store.ts';
import type { Reports } from './reports/store.ts';
import type { Gaps, MetricSeries, SampleHistory, SetAside } from './series/store.ts';
import type { Maintenance } from './database/store.ts';
import type { HostLists, ProcessSnapshots } from './processes/store.ts';
import type { Activity } from './activity/store.ts';
import type { AlertStates, Alerts } from './alerts/store.ts';
import type { Kubernetes } from './kubernetes/store.ts';
import type { Broadcast } from './live/store.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/** What `deps.ts` hands to the rest of the API. */
export interface Storage {
  accounts: Accounts;
  sessions: Sessions;
  signInCodes: SignInCodes;
  enrolmentTokens: EnrolmentTokens;
  agents: Agents;
  reports: Reports;
  servers: Servers;
  series: MetricSeries;
  history: SampleHistory;
  gaps: Gaps;
  maintenance: Maintenance;
  setAside: SetAside;
  lists: HostLists;
  processSnapshots: ProcessSnapshots;
  activity: Activity;
  identity: Identity;
  alerts: Alerts;
  alertStates: AlertStates;
  kubernetes: Kubernetes;
  broadcast: Broadcast;
  /** Answers within a second or fails; for /readyz. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
