import type {
  V1ConfigMap,
  V1LimitRange,
  V1PodDisruptionBudget,
  V1PriorityClass,
  V1ResourceQuota,
  V1StorageClass,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import type { Fields } from './described.ts';

export function describeAutoscaler({ spec }: V2HorizontalPodAutoscaler, fields: Fields): void {
  if (!spec) return;
  fields.set('target', `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`);
  fields.set('minReplicas', spec.minReplicas);
  fields.set('maxReplicas', spec.maxReplicas);
  fields.set('metrics', spec.metrics);
  fields.set('behavior', spec.behavior);
}

export function describeQuota({ spec }: V1ResourceQuota, fields: Fields): void {
  fields.each('hard', spec?.hard);
  fields.set('scopes', spec?.scopes);
  fields.set('scopeSelector', spec?.scopeSelector);
}

export function describeLimitRange({ spec }: V1LimitRange, fields: Fields): void {
  for (const { type, ...limits } of spec?.limits ?? []) fields.set(`limits.${type}`, limits);
}

export function describeBudget({ spec }: V1PodDisruptionBudget, fields: Fields): void {
  fields.set('minAvailable', spec?.minAvailable);
  fields.set('maxUnavailable', spec?.maxUnavailable);
  fields.set('selector', spec?.selector);
  fields.set('unhealthyPodEvictionPolicy', spec?.unhealthyPodEvictionPolicy);
}

export function describePriority({ value, globalDefault, preemptionPolicy }: V1PriorityClass, fields: Fields): void {
  fields.set('value', value);
  fields.set('globalDefault', globalDefault);
  fields.set('preemptionPolicy', preemptionPolicy);
}

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

export function describeStorageClass(object: V1StorageClass, fields: Fields): void {
  fields.set('provisioner', object.provisioner);
  fields.set('reclaimPolicy', object.reclaimPolicy);
  fields.set('volumeBindingMode', object.volumeBindingMode);
  fields.set('allowVolumeExpansion', object.allowVolumeExpansion);
  fields.set('default', object.metadata?.annotations?.[DEFAULT_CLASS]);
  fields.set('mountOptions', object.mountOptions);
  fields.each('parameters', object.parameters);
}

/** The keys and whether a value changed: no value leaves the cluster. */
export function describeConfigMap({ data, binaryData, immutable }: V1ConfigMap, fields: Fields): void {
  for (const [key, value] of Object.entries(data ?? {})) fields.digest(`data.${key}`, value);
  for (const [key, value] of Object.entries(binaryData ?? {})) fields.digest(`binaryData.${key}`, value);
  fields.set('immutable', immutable);
}
