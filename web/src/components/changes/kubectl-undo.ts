import { kubectlGet } from '../kubernetes/kubectl.ts';

/** Returns the command that takes the last rollout back: "kubectl rollout undo deployment NAME -n NAMESPACE". */
export const kubectlUndo = (workload: Parameters<typeof kubectlGet>[0]): string =>
  kubectlGet(workload)
    .replace(/^kubectl get /, 'kubectl rollout undo ')
    .replace(/ -o yaml$/, '');
