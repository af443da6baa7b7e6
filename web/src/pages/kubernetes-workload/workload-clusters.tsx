import { styled } from '@mui/material/styles';
import { COLLECTOR_SILENT_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { WorkloadAnswer, WorkloadInCluster } from '@plimsoll/contract/wire/kubernetes';
import { useSyncExternalStore } from 'react';
import { Age } from '../../components/age.tsx';
import { boundsText, coresText, memoryText, shortId } from '../../components/kubernetes/kubernetes-words.ts';
import { Panel, Rows } from '../../components/panel.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { onTick } from '../../time/clock.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(100px, 1fr) 90px minmax(0, 2fr) minmax(0, 1.6fr)',
  gap: '4px 12px',
  alignItems: 'baseline',
  padding: '9px 16px',
  '& > *': { minWidth: 0, overflowWrap: 'anywhere' },
  '& small': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.load.text3 },
  '& code': { fontSize: 12 },
  '& [data-differs]': { color: theme.vars.palette.load.nearText, fontWeight: 600 },
  '&[data-silent]': { color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    '& > :nth-of-type(n + 3)': { gridColumn: '1 / -1' },
  },
}));

const countText = (count: number | null) => (count === null ? 'N/A' : String(count));
/** "5 of 8 ready"; what differs is what is wanted, so the number that is ready may be that of another cluster. */
const replicasText = ({ ready }: WorkloadInCluster, { desired }: WorkloadInCluster) =>
  `${countText(ready)} of ${countText(desired)} ready`;
const imagesText = ({ images }: WorkloadInCluster) => images.map(({ image }) => image).join(', ') || 'no pod';

/** "CPU limit 1.000, request 0.500 · memory request 256 MB", of one pod. */
function amountsText({ requests, limits }: WorkloadInCluster): string {
  if (requests === null || limits === null) return 'no pod';
  const cpu = boundsText(limits.cpu_cores, requests.cpu_cores, coresText);
  const memory = boundsText(limits.memory_mb, requests.memory_mb, memoryText);
  return `CPU ${cpu ?? 'without bounds'} · memory ${memory ?? 'without bounds'}`;
}

/** A value that is not the one of this page's cluster is marked, for eyes and for ears. */
function Value({ text, here }: { text: string; here: string | null }) {
  const differs = here !== null && text !== here;
  return (
    <span data-differs={differs ? '' : undefined}>
      {escapeInvisible(text)}
      {differs && <VisuallyHidden> (differs)</VisuallyHidden>}
    </span>
  );
}

/** The same workload in the other clusters: what differs in image, replicas and requests is marked. */
export function WorkloadClusters({ answer }: { answer: WorkloadAnswer }) {
  const isSilent = useSyncExternalStore(onTick, () => silentIn(answer, Date.now()));
  if (answer.clusters.length < 2) return null;
  const here = answer.clusters.find((one) => one.cluster_id === answer.cluster_id);
  const { namespace, kind: owner_kind, name: owner_name } = answer;
  return (
    <Panel title="In each cluster" note="what differs from this one is marked; bounds are of one pod">
      <Rows>
        {answer.clusters.map((one) => {
          const other = one === here || here === undefined ? null : here;
          const name = escapeInvisible(one.cluster_name ?? shortId(one.cluster_id));
          const target = { cluster_id: one.cluster_id, namespace, owner_kind, owner_name };
          const silent = isSilent.split(' ').includes(one.cluster_id);
          return (
            <Row key={one.cluster_id} data-silent={silent ? '' : undefined}>
              <span>
                {one === here ? <b>{name}</b> : <Link to={paths.kubernetesWorkload(target)}>{name}</Link>}
                {silent && (
                  <small>
                    silent, as of <Age at={momentMs(one.reported_at)} />
                  </small>
                )}
              </span>
              <Value text={replicasText(one, one)} here={other && replicasText(one, other)} />
              <code>
                <Value text={imagesText(one)} here={other && imagesText(other)} />
              </code>
              <Value text={amountsText(one)} here={other && amountsText(other)} />
            </Row>
          );
        })}
      </Rows>
    </Panel>
  );
}

/** Ids of the silent clusters, in one text: equal texts draw nothing anew. */
const silentIn = ({ clusters }: WorkloadAnswer, nowMs: number): string =>
  clusters
    .filter((one) => nowMs - (momentMs(one.reported_at) ?? 0) > COLLECTOR_SILENT_SECONDS * 1000)
    .map((one) => one.cluster_id)
    .join(' ');
