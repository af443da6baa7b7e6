import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { CapacityCluster, CapacityFit } from '@plimsoll/contract/wire/capacity';
import { useState } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Figure } from '../../components/figure.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { Below, CapacityScroll } from './capacity-table.tsx';
import { fitTone, sizeWords } from '../../components/capacity/capacity-words.ts';
import { TrySize } from './try-size.tsx';

const SHOWN = 8;

/** Number of further pods of each workload that fit, the least room first. */
export function FitsTable({ cluster }: { cluster: CapacityCluster }) {
  const [isTrying, setTrying] = useState(false);
  const [search, setSearch] = useState('');
  const [isWhole, setWhole] = useState(false);
  const found = cluster.fits.filter(({ namespace, name }) => `${namespace}/${name}`.includes(search.toLowerCase()));
  const rows = isWhole || search !== '' ? found : found.slice(0, SHOWN);
  return (
    <Panel
      title="What fits"
      actions={
        <Button size="small" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
          Try a size
        </Button>
      }
    >
      {isTrying && <TrySize cluster={cluster.cluster_id} />}
      {cluster.fits_total > SHOWN && (
        <div style={{ padding: '8px 16px' }}>
          <SearchField label="Search workloads" value={search} onChange={setSearch} />
        </div>
      )}
      {cluster.fits.length === 0 ? (
        <EmptyState sentence="N/A" reason={cluster.reason ?? 'No workload of the cluster can have more pods.'} />
      ) : (
        <CapacityScroll tabIndex={0} role="region" aria-label="What fits">
          <Table aria-label="What fits">
            <TableHead>
              <TableRow>
                <TableCell>Workload</TableCell>
                <TableCell>Request</TableCell>
                <TableCell className="number">More pods</TableCell>
                <TableCell>First limit</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map((fit) => (
                <FitRow key={`${fit.namespace}/${fit.kind}/${fit.name}`} cluster={cluster.cluster_id} fit={fit} />
              ))}
            </TableBody>
          </Table>
        </CapacityScroll>
      )}
      {found.length > rows.length && (
        <Below>
          {numberText(rows.length)} of {numberText(cluster.fits_total)} shown, the least room first.{' '}
          <Button size="small" onClick={() => setWhole(true)}>
            Show {numberText(found.length)}
          </Button>
        </Below>
      )}
    </Panel>
  );
}

function FitRow({ cluster, fit }: { cluster: string; fit: CapacityFit }) {
  const { namespace, kind, name, more, is_cut: isCut, first_limit: limit, reason } = fit;
  const tone = fitTone(more);
  const to = paths.kubernetesWorkload({ cluster_id: cluster, namespace, owner_kind: kind, owner_name: name });
  return (
    <TableRow>
      <TableCell>
        <Link to={to}>{escapeInvisible(`${namespace}/${name}`)}</Link>
      </TableCell>
      <TableCell data-name="Request">{sizeWords(fit)}</TableCell>
      <TableCell data-name="More pods" className="number" data-tone={more === null ? undefined : tone}>
        {more !== null && <BandIcon band={tone} />}
        <Figure value={more === null ? null : `${isCut ? '≥ ' : ''}${numberText(more) ?? ''}`} />
      </TableCell>
      <TableCell data-name="First limit" className={reason === null ? undefined : 'words quiet'}>
        {reason ?? limit ?? '–'}
      </TableCell>
    </TableRow>
  );
}
