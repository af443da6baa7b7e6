/** Returns the subject of alerts about a workload, which a silence of the workload names: "shop/Deployment/web". */
export const workloadSubject = (workload: { namespace: string; kind: string; name: string }): string =>
  `${workload.namespace}/${workload.kind}/${workload.name}`;
