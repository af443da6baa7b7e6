import { styled } from '@mui/material/styles';
import type { Cluster, PodsSummary } from '@plimsoll/contract/wire/kubernetes';
import { POD_PHASES } from '@plimsoll/contract/rules/kubernetes-limits';
import type { ReactNode } from 'react';
import { ClusterSelect } from '../../components/kubernetes/cluster-select.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { Filter, Toggle, Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import { useTyped } from '../../components/form/use-typed.ts';
import type { PodsView } from './pods-view.ts';
import {
  AccountTreeOutlined as AccountTreeIcon,
  TableRowsOutlined as TableRowsIcon,
} from '../../components/icons/material.tsx';

const Word = styled('span')(({ theme }) => ({
  [theme.breakpoints.down('sm')]: {
    position: 'absolute',
    clipPath: 'inset(50%)',
    width: 1,
    height: 1,
    overflow: 'hidden',
  },
}));
const VIEWS = [
  {
    value: 'list',
    label: (
      <>
        <TableRowsIcon /> <Word>List</Word>
      </>
    ),
  },
  {
    value: 'owner',
    label: (
      <>
        <AccountTreeIcon /> <Word>By owner</Word>
      </>
    ),
  },
] as const;

interface PodsToolbarProps {
  view: PodsView;
  summary: PodsSummary | undefined;
  clusters: readonly Cluster[];
  onChange: (change: Partial<PodsView>) => void;
  exporting: ReactNode;
}

const all = { value: '', label: 'All' };
const named = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

export function PodsToolbar({ view, summary, clusters, onChange, exporting }: PodsToolbarProps) {
  const [typed, setTyped] = useTyped(view.search, (search) => onChange({ search }));
  const namespaces = summary?.namespace_names ?? (view.namespace === '' ? [] : [view.namespace]);
  const owners = summary?.owner_kinds ?? [];
  return (
    <Toolbar>
      <SearchField label="Search pods" value={typed} onChange={setTyped} />
      <ClusterSelect clusters={clusters} />
      <Filter
        label="Namespace"
        value={view.namespace}
        options={[all, ...named(namespaces)]}
        onChange={(namespace) => onChange({ namespace })}
      />
      <Filter
        label="Phase"
        value={view.phase}
        options={[all, ...named(POD_PHASES)]}
        onChange={(phase) => onChange({ phase: POD_PHASES.find((each) => each === phase) ?? '' })}
      />
      <Filter
        label="Owner"
        value={view.owner}
        options={[all, ...named(owners), { value: 'none', label: 'None' }]}
        onChange={(owner) => onChange({ owner })}
      />
      <ToolbarEnd>
        {exporting}
        <Toggle label="View" value={view.view} options={VIEWS} onChange={(next) => onChange({ view: next })} />
      </ToolbarEnd>
    </Toolbar>
  );
}
