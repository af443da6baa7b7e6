import type { Cluster } from '@plimsoll/contract/wire/kubernetes';
import { shortId } from './kubernetes-words.ts';
import { useSearchParams } from '../../router.ts';
import { Filter } from '../form/toolbar.tsx';

/** Only where there is more than one to choose from. */
export function ClusterSelect({ clusters }: { clusters: readonly Cluster[] }) {
  const [search, setSearch] = useSearchParams();
  if (clusters.length < 2) return null;
  const choose = (id: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (id === '') next.delete('cluster');
      else next.set('cluster', id);
      return next;
    });
  const options = clusters.map(({ cluster_id: id, name }) => ({ value: id, label: name ?? shortId(id) }));
  return (
    <Filter
      label="Cluster"
      value={search.get('cluster') ?? ''}
      options={[{ value: '', label: 'All' }, ...options]}
      onChange={choose}
    />
  );
}
