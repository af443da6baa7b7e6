import type { ContainersSummary } from '@plimsoll/contract/wire/containers';
import { CONTAINER_FILTERS, CONTAINER_SORTS } from '@plimsoll/contract/rules/container-states';
import { useEffect, useState } from 'react';
import { SearchField } from '../../components/form/search-field.tsx';
import { Filter, Toggle, Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import { STATE_WORDS } from '../../format/container-words.ts';
import type { ContainersView } from './containers-view.ts';

const FILTER_WORDS = {
  broken: 'Broken',
  over_line: 'Over the memory line',
  near_line: 'Within 20 points',
  no_limit: 'No limit',
  late: 'Host does not report',
  ...STATE_WORDS,
} as const;
const STATES = [
  { value: '', label: 'All' },
  ...CONTAINER_FILTERS.map((value) => ({ value, label: FILTER_WORDS[value] })),
];
const SORT_WORDS = {
  worst: 'Worst first',
  name: 'Name',
  host: 'Host',
  cpu: 'CPU',
  memory: 'Memory',
  restarts: 'Restarts',
} as const;
const SORTS = CONTAINER_SORTS.map((value) => ({ value, label: SORT_WORDS[value] }));

/** Milliseconds without a keystroke after which the server is asked. */
const TYPING_PAUSE_MS = 250;

/** Shows typed text at once and applies it after a pause. */
function useTyped(value: string, onSettled: (value: string) => void): [string, (value: string) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => {
      onSettled(typed);
      setTyped(null);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, onSettled]);
  return [typed ?? value, setTyped];
}

interface ContainersToolbarProps {
  view: ContainersView;
  summary: ContainersSummary | undefined;
  onChange: (change: Partial<ContainersView>) => void;
}

export function ContainersToolbar({ view, summary, onChange }: ContainersToolbarProps) {
  const [typed, setTyped] = useTyped(view.search, (search) => onChange({ search }));
  const hidden = summary?.hidden ?? 0;
  return (
    <Toolbar>
      <SearchField label="Filter by name, image, host" value={typed} onChange={setTyped} />
      <Filter
        label="State"
        value={view.state}
        options={STATES}
        onChange={(state) => onChange({ state: CONTAINER_FILTERS.find((each) => each === state) ?? '' })}
      />
      <Filter
        label="Sort"
        value={view.sort}
        options={SORTS}
        onChange={(sort) => onChange({ sort: CONTAINER_SORTS.find((each) => each === sort) ?? 'worst' })}
      />
      {(hidden > 0 || view.hidden) && (
        <ToolbarEnd>
          <Toggle
            label="Hidden containers"
            value={view.hidden ? 'hidden' : 'shown'}
            options={[
              { value: 'shown', label: 'Shown' },
              { value: 'hidden', label: `${hidden} hidden` },
            ]}
            onChange={(next) => onChange({ hidden: next === 'hidden' })}
          />
        </ToolbarEnd>
      )}
    </Toolbar>
  );
}
