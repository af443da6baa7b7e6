import type { DescribedKind } from '@plimsoll/contract/rules/described-kinds';
import type { Fields } from './described.ts';
import * as access from './network-kinds.ts';
import * as limits from './limit-kinds.ts';
import * as workloads from './workload-kinds.ts';

/** Switches of the chart below `clusterCollector.changes`, and the words of PLIMSOLL_CHANGES. */
export const CHANGE_GROUPS = [
  'workloads',
  'services',
  'endpointSlices',
  'ingresses',
  'networkPolicies',
  'horizontalPodAutoscalers',
  'resourceQuotas',
  'limitRanges',
  'podDisruptionBudgets',
  'priorityClasses',
  'storageClasses',
  'webhookConfigurations',
  'configMaps',
] as const;
export type ChangeGroup = (typeof CHANGE_GROUPS)[number];

/** One kind of object that is described. */
export interface DescribedResource {
  group: ChangeGroup;
  kind: DescribedKind;
  /** Name of its watch, for metrics and the permission page. */
  name: string;
  /** Null: another watch reads the objects already. */
  watch: { path: string; needs: string } | null;
  /** Raise it with every change of `fill`: states of two forms are not compared. */
  form: number;
  fill: (object: never, fields: Fields) => void;
}

const watched = (
  group: ChangeGroup,
  kind: DescribedKind,
  [apiPath, name]: [string, string],
  fill: DescribedResource['fill'],
): DescribedResource => {
  const apiGroup = apiPath.split('/').at(-2) ?? '';
  const needs = `list,watch ${name}${apiPath === '/api/v1' ? '' : `.${apiGroup}`}`;
  return { group, kind, name, watch: { path: `${apiPath}/${name}`, needs }, form: 1, fill };
};
const seen = (kind: DescribedKind, name: string, fill: DescribedResource['fill']): DescribedResource => ({
  group: 'workloads',
  kind,
  name,
  watch: null,
  form: 1,
  fill,
});

export const DESCRIBED_RESOURCES: readonly DescribedResource[] = [
  seen('Deployment', 'deployments', workloads.describeDeployment),
  seen('StatefulSet', 'statefulsets', workloads.describeStatefulSet),
  seen('DaemonSet', 'daemonsets', workloads.describeDaemonSet),
  seen('CronJob', 'cronjobs', workloads.describeCronJob),
  seen('Job', 'jobs', workloads.describeJob),
  watched('services', 'Service', ['/api/v1', 'services'], access.describeService),
  watched('endpointSlices', 'EndpointSlice', ['/apis/discovery.k8s.io/v1', 'endpointslices'], access.describeSlice),
  watched('ingresses', 'Ingress', ['/apis/networking.k8s.io/v1', 'ingresses'], access.describeIngress),
  watched(
    'networkPolicies',
    'NetworkPolicy',
    ['/apis/networking.k8s.io/v1', 'networkpolicies'],
    access.describeNetworkPolicy,
  ),
  watched(
    'horizontalPodAutoscalers',
    'HorizontalPodAutoscaler',
    ['/apis/autoscaling/v2', 'horizontalpodautoscalers'],
    limits.describeAutoscaler,
  ),
  watched('resourceQuotas', 'ResourceQuota', ['/api/v1', 'resourcequotas'], limits.describeQuota),
  watched('limitRanges', 'LimitRange', ['/api/v1', 'limitranges'], limits.describeLimitRange),
  watched(
    'podDisruptionBudgets',
    'PodDisruptionBudget',
    ['/apis/policy/v1', 'poddisruptionbudgets'],
    limits.describeBudget,
  ),
  watched(
    'priorityClasses',
    'PriorityClass',
    ['/apis/scheduling.k8s.io/v1', 'priorityclasses'],
    limits.describePriority,
  ),
  watched('storageClasses', 'StorageClass', ['/apis/storage.k8s.io/v1', 'storageclasses'], limits.describeStorageClass),
  watched(
    'webhookConfigurations',
    'MutatingWebhookConfiguration',
    ['/apis/admissionregistration.k8s.io/v1', 'mutatingwebhookconfigurations'],
    access.describeWebhooks,
  ),
  watched(
    'webhookConfigurations',
    'ValidatingWebhookConfiguration',
    ['/apis/admissionregistration.k8s.io/v1', 'validatingwebhookconfigurations'],
    access.describeWebhooks,
  ),
  watched('configMaps', 'ConfigMap', ['/api/v1', 'configmaps'], limits.describeConfigMap),
];

export const formOf = (kind: DescribedKind): number => DESCRIBED_RESOURCES.find((one) => one.kind === kind)?.form ?? 1;
