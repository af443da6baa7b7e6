import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { CapacitySizing } from '@plimsoll/contract/wire/capacity';
import { useState } from 'react';
import { sizingQuery } from '../../api/capacity.ts';
import { useQuery } from '../../api/query.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Figure } from '../../components/figure.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Panel } from '../../components/panel.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { Below, CapacityScroll } from './capacity-table.tsx';
import { adviceWords, autoscalerWords, bytesWords, coresWords } from '../../components/capacity/capacity-words.ts';
import { SizeRange } from './size-range.tsx';
import { allYaml, workloadYaml } from '../../components/capacity/yaml.ts';

const SHOWN = 50;
type Resource = 'memory' | 'cpu';
const sizedOf = (row: CapacitySizing, resource: Resource) => (resource === 'cpu' ? row.cpu_cores : row.memory_bytes);
const verdictOf = (row: CapacitySizing, resource: Resource) =>
  resource === 'cpu' ? row.cpu_verdict : row.memory_verdict;
const amountWords = (resource: Resource, amount: number | null): string | null =>
  resource === 'cpu' ? coresWords(amount) : bytesWords(amount);

/** Containers whose requests do not match their use, with the advice and its YAML. */
export function SizingTable({ cluster }: { cluster: string }) {
  const [resource, setResource] = useState<Resource>('memory');
  const asked = useQuery(sizingQuery(cluster, SHOWN));
  const answer = asked.data;
  const rows = (answer?.sizing ?? []).filter((row) => ['too_large', 'too_small'].includes(verdictOf(row, resource)));
  const reason = answer?.cluster?.reason ?? null;
  const advice = answer?.cluster?.advice;
  return (
    <Panel
      title="Sizing"
      note={advice === undefined ? undefined : `${plural(advice.days, 'day')} of each container`}
      actions={
        <>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={resource}
            aria-label="Resource"
            onChange={(_, next: Resource | null) => next !== null && setResource(next)}
          >
            <ToggleButton value="memory">Memory</ToggleButton>
            <ToggleButton value="cpu">CPU</ToggleButton>
          </ToggleButtonGroup>
          <CopyButton text={allYaml(rows)} label="Copy all YAML" disabled={rows.length === 0} />
        </>
      }
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={4} height={40} />}
      {answer !== undefined && rows.length === 0 && (
        <EmptyState
          sentence={reason === null ? 'Nothing to change' : 'N/A'}
          reason={reason ?? 'The requests of each container match its use.'}
        />
      )}
      {rows.length > 0 && (
        <CapacityScroll tabIndex={0} role="region" aria-label="Sizing">
          <Table aria-label="Sizing">
            <TableHead>
              <TableRow>
                <TableCell>Container</TableCell>
                <TableCell className="number">Request</TableCell>
                <TableCell className="number">p95</TableCell>
                <TableCell className="number">Max</TableCell>
                <TableCell>Use</TableCell>
                <TableCell className="number">Advice</TableCell>
                <TableCell>Why</TableCell>
                <TableCell>YAML</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map((row) => (
                <Row
                  key={`${row.namespace}/${row.kind}/${row.name}/${row.container}`}
                  cluster={cluster}
                  row={row}
                  resource={resource}
                />
              ))}
            </TableBody>
          </Table>
        </CapacityScroll>
      )}
      {answer !== undefined && rows.length > 0 && (
        <Below>
          {advice !== undefined && adviceWords(advice)}{' '}
          {answer.total > SHOWN &&
            `The ${String(SHOWN)} containers with the largest effect of ${numberText(answer.total) ?? ''} are shown.`}
        </Below>
      )}
    </Panel>
  );
}

function Row({ cluster, row, resource }: { cluster: string; row: CapacitySizing; resource: Resource }) {
  const sized = sizedOf(row, resource);
  const isSmall = verdictOf(row, resource) === 'too_small';
  const words = (amount: number | null): string | null => amountWords(resource, amount);
  const to = paths.kubernetesWorkload({
    cluster_id: cluster,
    namespace: row.namespace,
    owner_kind: row.kind,
    owner_name: row.name,
  });
  const summary = `request ${words(sized.request) ?? 'none'}, p95 ${words(sized.p95) ?? 'unknown'}, maximum ${words(sized.max) ?? 'unknown'}, advice ${words(sized.advice) ?? 'none'}`;
  return (
    <TableRow>
      <TableCell>
        <Link to={to}>{escapeInvisible(`${row.namespace}/${row.name}`)}</Link>{' '}
        {row.container !== row.name && <span className="quiet">{escapeInvisible(row.container)}</span>}
      </TableCell>
      <TableCell data-name="Request" className="number">
        {words(sized.request) ?? 'none set'}
      </TableCell>
      <TableCell data-name="p95" className="number" data-tone={isSmall ? 'over' : undefined}>
        <Figure value={words(sized.p95)} />
      </TableCell>
      <TableCell data-name="Max" className="number" data-tone={isSmall ? 'over' : undefined}>
        <Figure value={words(sized.max)} />
      </TableCell>
      <TableCell data-name="Use">
        <SizeRange
          name={`${row.namespace}/${row.name} ${row.container}`}
          sized={sized}
          isOver={isSmall}
          words={summary}
        />
      </TableCell>
      <TableCell data-name="Advice" className="number">
        <b>{words(sized.advice) ?? '–'}</b>
      </TableCell>
      <TableCell data-name="Why" data-wide className="words">
        {isSmall && <BandIcon band="over" />} {row.evidence.join(', ')}
        {row.autoscalers
          .filter((one) => one.resource === null || one.resource === resource)
          .map((one) => (
            <div key={`${one.name} ${one.resource ?? ''}`} className="quiet">
              {autoscalerWords(one)}
            </div>
          ))}
      </TableCell>
      <TableCell data-name="YAML">
        <CopyButton text={workloadYaml([row])} name={`Copy YAML of ${row.namespace}/${row.name} ${row.container}`} />
      </TableCell>
    </TableRow>
  );
}
