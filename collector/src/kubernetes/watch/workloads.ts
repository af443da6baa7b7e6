import type { V1CronJob, V1DaemonSet, V1Deployment, V1ObjectMeta, V1StatefulSet } from '@kubernetes/client-node';
import type { WorkloadObject } from '@plimsoll/contract/wire/cluster-objects';
import { required, seconds, wholeNumber } from './fields.ts';
import type { Resource } from './reflector.ts';

type Workload = Resource<WorkloadObject>;

const headOf = (metadata: V1ObjectMeta | undefined) => ({
  uid: required(metadata?.uid, 'metadata.uid'),
  namespace: required(metadata?.namespace, 'metadata.namespace'),
  name: required(metadata?.name, 'metadata.name'),
  created_at: seconds(metadata?.creationTimestamp) ?? 0,
  last_run_at: null,
});

export const deployments: Workload = {
  name: 'deployments',
  path: '/apis/apps/v1/deployments',
  needs: 'list,watch deployments.apps',
  project: (object) => {
    const { metadata, spec, status } = object as V1Deployment;
    return {
      ...headOf(metadata),
      kind: 'Deployment',
      desired: wholeNumber(spec?.replicas ?? 1),
      ready: wholeNumber(status?.readyReplicas ?? 0),
      suspended: spec?.paused === true,
    };
  },
};

export const statefulSets: Workload = {
  name: 'statefulsets',
  path: '/apis/apps/v1/statefulsets',
  needs: 'list,watch statefulsets.apps',
  project: (object) => {
    const { metadata, spec, status } = object as V1StatefulSet;
    return {
      ...headOf(metadata),
      kind: 'StatefulSet',
      desired: wholeNumber(spec?.replicas ?? 1),
      ready: wholeNumber(status?.readyReplicas ?? 0),
      suspended: false,
    };
  },
};

export const daemonSets: Workload = {
  name: 'daemonsets',
  path: '/apis/apps/v1/daemonsets',
  needs: 'list,watch daemonsets.apps',
  project: (object) => {
    const { metadata, status } = object as V1DaemonSet;
    return {
      ...headOf(metadata),
      kind: 'DaemonSet',
      desired: wholeNumber(status?.desiredNumberScheduled),
      ready: wholeNumber(status?.numberReady),
      suspended: false,
    };
  },
};

/** batch/v1 CronJob exists since Kubernetes 1.21; before it this one reader says "not served". */
export const cronJobs: Workload = {
  name: 'cronjobs',
  path: '/apis/batch/v1/cronjobs',
  needs: 'list,watch cronjobs.batch',
  project: (object) => {
    const { metadata, spec, status } = object as V1CronJob;
    return {
      ...headOf(metadata),
      kind: 'CronJob',
      desired: null,
      ready: null,
      suspended: spec?.suspend === true,
      last_run_at: seconds(status?.lastScheduleTime),
    };
  },
};
