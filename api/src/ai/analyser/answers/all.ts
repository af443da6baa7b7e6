import type { Understood } from '../asked.ts';
import { alerts, cause, changes, checks, events, maintenance, rules, silences } from './alerts.ts';
import { capacity, clusters, kubernetesEvents, loss } from './capacity.ts';
import { containers, namespaces, nodes, pods, workloads } from './pods.ts';
import { hardware } from './hardware.ts';
import { processes } from './processes.ts';
import { history, network } from './series.ts';
import { forecast, idle, rankServers, server, servers, totals } from './servers.ts';
import { updates } from './updates.ts';
import type { Write } from './write.ts';

/** Statistics, comparisons and headroom have reports of several tools. */
export const ANSWERS: Partial<Record<Understood['subject'], Write>> = {
  servers: (content, asked, now) => (asked.tool === 'rank_servers' ? rankServers : servers)(content, asked, now),
  server,
  totals,
  idle,
  alerts,
  events,
  changes,
  cause,
  rules,
  checks,
  maintenance,
  silences,
  hardware,
  updates,
  processes,
  containers,
  pods,
  nodes,
  namespaces,
  workloads,
  clusters,
  kubernetes_events: kubernetesEvents,
  capacity,
  loss,
  history,
  forecast,
  network,
};
