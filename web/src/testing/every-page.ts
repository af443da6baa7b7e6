import { paths } from '../paths.ts';
import { ID } from './every-answer.ts';

/** Addresses of every page that a stranger may open. */
export const PUBLIC_PAGES = [paths.landing, paths.login, paths.terms, paths.privacy, `/status/${ID}`];
/** Addresses of every page, with each view that shows other parts. */
export const PROTECTED_PAGES = [
  paths.dashboard,
  paths.servers,
  `${paths.servers}?view=table`,
  `${paths.servers}?compare=${ID}`,
  paths.containers,
  paths.checks,
  paths.check(ID),
  paths.server(ID),
  // The panel of processes at a moment, beside the charts or over a narrow screen.
  `${paths.server(ID)}?hours=24&at=2026-01-31T03:12Z`,
  paths.kubernetes,
  paths.kubernetesNodes,
  `${paths.kubernetesNodes}?view=table`,
  paths.kubernetesNode(ID, 'node-name'),
  paths.kubernetesNamespaces,
  paths.kubernetesWorkloads,
  paths.kubernetesClusters,
  paths.kubernetesEvents,
  paths.kubernetesWorkload({ cluster_id: 'c-1', namespace: 'shop', owner_kind: 'Deployment', owner_name: 'web' }),
  paths.kubernetesPods,
  `${paths.kubernetesPods}?view=owner`,
  `${paths.kubernetesPods}?pod=${ID}/namespace/pod-name`,
  paths.alerts,
  `${paths.alerts}?alert=${ID}`,
  paths.alertRules,
  paths.alertRule('new'),
  paths.alertSilences,
  paths.alertChannels,
  paths.activity,
  paths.network,
  paths.processes,
  paths.setup,
  `${paths.setup}?on=kubernetes`,
  `${paths.setup}?on=other`,
  paths.profile,
  paths.team,
  paths.join,
  paths.statusPages,
  paths.statusIncidents(ID),
  paths.health,
  paths.aiChat,
];
