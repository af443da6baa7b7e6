import IconButton from '@mui/material/IconButton';
import { SearchField } from '../../components/form/search-field.tsx';
import { Filter, Toggle, Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import type { ColumnSort, ServersView } from './servers-view.ts';
import {
  GridViewOutlined as GridViewIcon,
  TableRowsOutlined as TableRowsIcon,
} from '../../components/icons/material.tsx';
import { ArrowDownward as ArrowDownwardIcon, ArrowUpward as ArrowUpwardIcon } from '../../components/icons/pages.tsx';

const STATUSES = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'offline', label: 'Offline' },
  { value: 'refused', label: 'Refused' },
  { value: 'installing', label: 'Installing' },
  { value: 'uninstalled', label: 'Uninstalled' },
];
const LOADS = [
  { value: '', label: 'Any' },
  { value: 'over', label: 'Over' },
  { value: 'near', label: 'Over or within 20' },
];
const SORTS: { value: ColumnSort; label: string }[] = [
  { value: 'headroom', label: 'Headroom' },
  { value: 'name', label: 'Name' },
  { value: 'last_seen', label: 'Last seen' },
  { value: 'cpu', label: 'CPU' },
  { value: 'memory', label: 'Memory' },
  { value: 'disk', label: 'Disk' },
  { value: 'io_wait', label: 'IO wait' },
  { value: 'load', label: 'Load' },
  { value: 'inbound', label: 'In' },
  { value: 'outbound', label: 'Out' },
  { value: 'region', label: 'Region' },
  { value: 'uptime', label: 'Uptime' },
];
const VIEWS = [
  {
    value: 'cards',
    label: (
      <>
        <GridViewIcon aria-hidden /> Cards
      </>
    ),
  },
  {
    value: 'table',
    label: (
      <>
        <TableRowsIcon aria-hidden /> Table
      </>
    ),
  },
] as const;

interface ServersToolbarProps {
  view: ServersView;
  regions: readonly string[];
  onChange: (part: Partial<ServersView>) => void;
}

const isSort = (value: string): value is ColumnSort => SORTS.some((sort) => sort.value === value);

export function ServersToolbar({ view, regions, onChange }: ServersToolbarProps) {
  const places = [{ value: '', label: 'All' }, ...regions.map((region) => ({ value: region, label: region }))];
  return (
    <Toolbar role="search">
      <SearchField label="Filter by name, tag, OS" value={view.search} onChange={(search) => onChange({ search })} />
      <Filter label="Status" value={view.status} options={STATUSES} onChange={(status) => onChange({ status })} />
      {regions.length > 1 && (
        <Filter label="Region" value={view.region} options={places} onChange={(region) => onChange({ region })} />
      )}
      <Filter label="Over the line" value={view.load} options={LOADS} onChange={(load) => onChange({ load })} />
      <ToolbarEnd>
        <Filter
          label="Sort"
          value={view.sort}
          options={SORTS}
          onChange={(sort) => isSort(sort) && onChange({ sort })}
        />
        <IconButton
          aria-label={view.descending ? 'Reverse order, on' : 'Reverse order'}
          aria-pressed={view.descending}
          onClick={() => onChange({ descending: !view.descending })}
        >
          {view.descending ? <ArrowDownwardIcon /> : <ArrowUpwardIcon />}
        </IconButton>
        <Toggle label="View" value={view.view} options={VIEWS} onChange={(next) => onChange({ view: next })} />
      </ToolbarEnd>
    </Toolbar>
  );
}
