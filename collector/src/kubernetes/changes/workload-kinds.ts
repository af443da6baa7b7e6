import type {
  V1CronJob,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1JobSpec,
  V1ObjectMeta,
  V1StatefulSet,
} from '@kubernetes/client-node';
import type { Fields } from './described.ts';
import { describeTemplate } from './pod-template.ts';

/** Names under which Helm, Argo CD, Flux and kubectl note what they rolled out. */
const MARKS = [
  'kubernetes.io/change-cause',
  'argocd.argoproj.io/revision',
  'kustomize.toolkit.fluxcd.io/revision',
  'source.toolkit.fluxcd.io/revision',
  'app.kubernetes.io/version',
  'helm.sh/chart',
];

function describeMarks(metadata: V1ObjectMeta | undefined, fields: Fields): void {
  for (const mark of MARKS) fields.set(`marks.${mark}`, metadata?.annotations?.[mark] ?? metadata?.labels?.[mark]);
}

export function describeDeployment({ metadata, spec }: V1Deployment, fields: Fields): void {
  describeMarks(metadata, fields);
  fields.set('replicas', spec?.replicas);
  fields.set('paused', spec?.paused);
  fields.set('strategy', spec?.strategy);
  fields.set('minReadySeconds', spec?.minReadySeconds);
  fields.set('progressDeadlineSeconds', spec?.progressDeadlineSeconds);
  describeTemplate(spec?.template, fields);
}

export function describeStatefulSet({ metadata, spec }: V1StatefulSet, fields: Fields): void {
  describeMarks(metadata, fields);
  fields.set('replicas', spec?.replicas);
  fields.set('updateStrategy', spec?.updateStrategy);
  fields.set('podManagementPolicy', spec?.podManagementPolicy);
  fields.set('serviceName', spec?.serviceName);
  describeTemplate(spec?.template, fields);
}

export function describeDaemonSet({ metadata, spec }: V1DaemonSet, fields: Fields): void {
  describeMarks(metadata, fields);
  fields.set('updateStrategy', spec?.updateStrategy);
  describeTemplate(spec?.template, fields);
}

export function describeCronJob({ metadata, spec }: V1CronJob, fields: Fields): void {
  describeMarks(metadata, fields);
  fields.set('schedule', spec?.schedule);
  fields.set('timeZone', spec?.timeZone);
  fields.set('suspend', spec?.suspend);
  fields.set('concurrencyPolicy', spec?.concurrencyPolicy);
  fields.set('startingDeadlineSeconds', spec?.startingDeadlineSeconds);
  describeJobSpec(spec?.jobTemplate.spec, fields);
}

export function describeJob({ metadata, spec }: V1Job, fields: Fields): void {
  describeMarks(metadata, fields);
  describeJobSpec(spec, fields);
}

function describeJobSpec(spec: V1JobSpec | undefined, fields: Fields): void {
  fields.set('job.suspend', spec?.suspend);
  fields.set('job.parallelism', spec?.parallelism);
  fields.set('job.completions', spec?.completions);
  fields.set('job.backoffLimit', spec?.backoffLimit);
  fields.set('job.activeDeadlineSeconds', spec?.activeDeadlineSeconds);
  describeTemplate(spec?.template, fields);
}
