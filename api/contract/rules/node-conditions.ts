/**
 * Types of conditions that are well while True: Ready, and those of node agents of clouds and distributions
 * (ContainerRuntimeReady of EKS, EtcdIsVoter of RKE2, KubeletConfigOk of Kubernetes before 1.24). Every other condition names a problem, as those of the kubelet and of
 * node-problem-detector do. Also a regular expression of PostgreSQL.
 */
export const WELL_WHILE_TRUE = '(?<!Not)(Ready|Healthy|Available|Voter|OK|Ok|Initialized|Synced)$';
const wellWhileTrue = new RegExp(WELL_WHILE_TRUE, 'u');

/** Returns true if a condition of a node reports a problem. Unknown is none: then the node itself is not ready. */
export const isBadCondition = ({ type, status }: { type: string; status: string }): boolean =>
  status === (wellWhileTrue.test(type) ? 'False' : 'True');
