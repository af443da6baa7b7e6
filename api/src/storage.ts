import type { Accounts, Identity, Sessions, SignInCodes } from './accounts/store.ts';
import type { Tenancy } from './tenancy/store.ts';
import type { Agents, EnrolmentTokens, Servers } from './servers/store.ts';
import type { Refusals, Reports } from './reports/store.ts';
import type {
  FilesystemHistory,
  Gaps,
  MetricSeries,
  Peaks,
  SampleHistory,
  SampleOutbox,
  Rollups,
  SetAside,
} from './series/store.ts';
import type { ExternalReadings } from './external-metrics/store.ts';
import type { Maintenance, RateLimits } from './database/store.ts';
import type {
  FleetSnapshots,
  HostLists,
  ProcessMinutes,
  ProcessQuarters,
  ProcessSnapshots,
} from './processes/store.ts';
import type { Activity } from './activity/store.ts';
import type { IncidentCauses } from './causes/store.ts';
import type { ChangeLedger } from './changes/store.ts';
import type { LastWords, LogLines } from './lines/store.ts';
import type { CapacityPlans, CapacitySettings, ServerUsages } from './capacity/store.ts';
import type { Containers } from './containers/store.ts';
import type { HiddenParts } from './hidden-parts/store.ts';
import type {
  AlertActing,
  AlertActions,
  AlertDetails,
  AlertRules,
  AlertStates,
  ClusterAlertStates,
  Alerts,
  CheckAlerts,
  Incidents,
  IngestWatch,
  RecordedValues,
  Silences,
} from './alerts/store.ts';
import type { CheckResults, CheckRollups, Checks, CheckWorkloads } from './checks/store.ts';
import type { Maintenances } from './maintenance/store.ts';
import type { Kubernetes } from './kubernetes/store.ts';
import type { AlertDeliveries, Notify } from './notify/store.ts';
import type { Ai } from './ai/store.ts';
import type { PageChecks, ServerDays, StatusPages } from './status-pages/store.ts';
import type { Installation } from './installation/store.ts';
import type { Broadcast } from './live/store.ts';
import type { ManagedObjects } from './operator/store.ts';

/** Ports that verbs read and write, each the same within a transaction. */
export interface Stores {
  accounts: Accounts;
  sessions: Sessions;
  signInCodes: SignInCodes;
  enrolmentTokens: EnrolmentTokens;
  agents: Agents;
  servers: Servers;
  tenancy: Tenancy;
  identity: Identity;
  alerts: Alerts;
  alertStates: AlertStates;
  alertRules: AlertRules;
  managedObjects: ManagedObjects;
  alertActing: AlertActing;
  alertActions: AlertActions;
  silences: Silences;
  kubernetes: Kubernetes;
  notify: Notify;
  ai: Ai;
  statusPages: StatusPages;
  hiddenParts: HiddenParts;
  changeLedger: ChangeLedger;
  checks: Checks;
  maintenances: Maintenances;
  capacitySettings: CapacitySettings;
}

/** Ports that `deps.ts` passes to the rest of the API. */
export interface Storage extends Stores {
  /** Runs `work` with stores of one transaction: all that it writes is stored, or nothing if it fails. */
  inTransaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
  reports: Reports;
  refusals: Refusals;
  externalReadings: ExternalReadings;
  series: MetricSeries;
  peaks: Peaks;
  history: SampleHistory;
  sampleOutbox: SampleOutbox;
  gaps: Gaps;
  filesystemHistory: FilesystemHistory;
  maintenance: Maintenance;
  rateLimits: RateLimits;
  rollups: Rollups;
  setAside: SetAside;
  lists: HostLists;
  processSnapshots: ProcessSnapshots;
  fleetSnapshots: FleetSnapshots;
  processMinutes: ProcessMinutes;
  processQuarters: ProcessQuarters;
  activity: Activity;
  logLines: LogLines;
  lastWords: LastWords;
  containers: Containers;
  capacityPlans: CapacityPlans;
  serverUsages: ServerUsages;
  checkResults: CheckResults;
  checkRollups: CheckRollups;
  checkAlerts: CheckAlerts;
  checkWorkloads: CheckWorkloads;
  clusterAlerts: ClusterAlertStates;
  alertDetails: AlertDetails;
  alertDeliveries: AlertDeliveries;
  incidents: Incidents;
  incidentCauses: IncidentCauses;
  ingestWatch: IngestWatch;
  recordedValues: RecordedValues;
  serverDays: ServerDays;
  pageChecks: PageChecks;
  installation: Installation;
  broadcast: Broadcast;
  /** Answers within a second or fails; for /readyz. */
  ping(): Promise<void>;
  /** Returns the time of PostgreSQL's clock, epoch milliseconds. */
  time(): Promise<number>;
  close(): Promise<void>;
}
