import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { KubernetesSection, useClusterId } from '../../components/kubernetes/section.tsx';
import { paths } from '../../paths.ts';

/** What fits into a cluster, what the loss of a node does, when it is full, and what is sized wrong. */
export function Component() {
  const cluster = useClusterId();
  const overview = useQuery(clusterOverviewQuery(cluster));
  const moment = useClusterMoment(cluster);
  return (
    <KubernetesSection
      tab="capacity"
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }, { label: 'Capacity' }]}
      title="Capacity"
      sentence="What fits, and what the loss of a node would do"
      overview={overview}
      moment={moment}
    >
      {null}
    </KubernetesSection>
  );
}
