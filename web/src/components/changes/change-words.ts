import type { ChangeSource } from '@plimsoll/contract/rules/changes';
import type { Change } from '@plimsoll/contract/wire/changes';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';

export const SOURCE_NAME: Record<ChangeSource, string> = {
  cluster: 'Clusters',
  host: 'Hosts',
  deploy: 'Deployments',
  plimsoll: 'Plimsoll',
};

/** Sections of a host as people call them. */
const SECTION_NAME: Record<string, string> = {
  system: 'System',
  packages: 'Packages',
  units: 'Units',
  mounts: 'Mounts',
  sysctls: 'Kernel settings',
  ports: 'Listening ports',
  files: 'Watched files',
};

/** "Deployment shop/checkout", "Packages of web-01", "Rule Disk full". */
export function subjectOf({ source, kind, namespace, name, hostname }: Change): string {
  if (source === 'host') return escapeInvisible(`${SECTION_NAME[kind] ?? kind} of ${hostname ?? name}`);
  if (source === 'deploy') return kind === 'deploy' ? 'Deployment' : escapeInvisible(placed(kind, namespace, name));
  return escapeInvisible(placed(kind, namespace, name));
}
const placed = (kind: string, namespace: string | null, name: string): string =>
  `${kind} ${namespace === null ? name : `${namespace}/${name}`}`;

/** One line for a mark or a list: "Deployment shop/checkout: image 1 → 2". */
export const changeText = (change: Change): string =>
  change.action === 'added' || change.action === 'gone'
    ? `${subjectOf(change)} ${escapeInvisible(change.title)}`
    : `${subjectOf(change)}: ${escapeInvisible(change.title)}`;

const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job']);

/** The page of what changed; null: it has none. */
export function changeLink({ kind, namespace, name, cluster_id: cluster, server_id: server }: Change): string | null {
  if (server !== null) return paths.server(server);
  if (cluster === null || namespace === null || !WORKLOADS.has(kind)) return null;
  return paths.kubernetesWorkload({ cluster_id: cluster, namespace, owner_kind: kind, owner_name: name });
}

/** "image": the container stands before it only if there is a doubt. */
export const fieldName = (field: string): string =>
  escapeInvisible(field.replace(/^(containers|initContainers)\.([^.]{1,253})\./, '$2: '));
