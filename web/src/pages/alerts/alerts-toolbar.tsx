import Button from '@mui/material/Button';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { useState } from 'react';
import type { useServerNames } from '../../api/server-names.ts';
import { ExportButton } from '../../components/export/export-button.tsx';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { ServerFilter } from '../../components/form/server-filter.tsx';
import { Filter, Toggle, Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import type { useFilters } from '../../state/use-filters.ts';
import { SERVER_RANGES } from '../../time/range.ts';
import { type AlertFilters, type AlertRows, filterOptions, type TagsOfServers } from './alert-list.ts';
import { alertsTable } from './alerts-table.ts';
import { FilterListOutlined as FilterListIcon } from '../../components/icons/material.tsx';

export type WhichAlerts = 'active' | 'mine' | 'all';

interface AlertsToolbarProps {
  filters: ReturnType<typeof useFilters>;
  /** Filters of the list, from the address. */
  wanted: AlertFilters;
  alerts: readonly Alert[];
  rows: AlertRows;
  /** Active rows with an alert that the reader acknowledged. */
  mine: AlertRows['active'];
  which: WhichAlerts;
  servers: ReturnType<typeof useServerNames>;
  tags: TagsOfServers;
  /** One row: a button shows the rest. */
  phone: boolean;
}

const FILTERS = [
  { name: 'level', label: 'Level' },
  { name: 'rule', label: 'Rule' },
  { name: 'tag', label: 'Tag' },
  { name: 'cluster', label: 'Cluster' },
] as const;

/** Chooses which alerts the page lists. A filter without a choice is left out. */
export function AlertsToolbar({ filters, wanted, alerts, rows, mine, which, ...about }: AlertsToolbarProps) {
  const { servers, tags, phone } = about;
  const [isUnfolded, setUnfolded] = useState(false);
  const { range, server, setRange, setServer, set } = filters;
  const { active, silenced, resolved } = rows;
  const options = filterOptions(alerts, tags);
  const shown = { active, mine, all: [...active, ...silenced, ...resolved] };
  const listed = shown[which].flatMap((row) => row.alerts);
  const choice = (
    <Toggle
      label="Which alerts"
      value={which}
      options={[
        { value: 'active', label: `Active ${active.length}` },
        { value: 'mine', label: `Mine ${mine.length}` },
        { value: 'all', label: `All ${shown.all.length}` },
      ]}
      onChange={(value) => set('show', value === 'active' ? '' : value)}
    />
  );
  const download = (
    <ExportButton
      holds={['alerts', servers.find(({ id }) => id === server)?.name ?? '']}
      table={() => alertsTable(listed)}
      disabled={listed.length === 0}
      labelled
    />
  );
  const filter = (
    <>
      <SearchField label="Filter by host, pod, text" value={wanted.search} onChange={(text) => set('q', text)} />
      {FILTERS.filter(({ name }) => options[name].length > 1 || wanted[name] !== '').map(({ name, label }) => (
        <Filter
          key={name}
          label={label}
          value={wanted[name]}
          options={options[name]}
          onChange={(value) => set(name, value)}
        />
      ))}
      <ServerFilter value={server} servers={servers} onChange={setServer} />
      <RangeToggle hours={SERVER_RANGES} range={range} onChange={setRange} />
    </>
  );
  if (phone)
    return (
      <Toolbar>
        {choice}
        <Button
          variant="outlined"
          startIcon={<FilterListIcon />}
          aria-expanded={isUnfolded}
          sx={{ marginLeft: 'auto', minHeight: 40 }}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          Filter
        </Button>
        {isUnfolded && filter}
        {isUnfolded && download}
      </Toolbar>
    );
  return (
    <Toolbar>
      {filter}
      <ToolbarEnd>
        {choice}
        {download}
      </ToolbarEnd>
    </Toolbar>
  );
}
