import type { ContainerGroupsAnswer, ContainersSummary } from '@plimsoll/contract/wire/containers';
import { CONTAINER_FILTERS, CONTAINER_GROUPINGS, CONTAINER_SORTS } from '@plimsoll/contract/rules/container-states';
import { compareNames } from '@plimsoll/contract/rules/compare-names';
import { SearchField } from '../../components/form/search-field.tsx';
import { Filter, Toggle, Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import { useTyped } from '../../components/form/use-typed.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
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

/** Compose projects are a filter; what runs a project is one host or a few. */
const GROUPINGS = [
  { value: 'flat', label: 'Flat' },
  { value: 'host', label: 'By host' },
  { value: 'image', label: 'By image' },
] as const;

/** Returns the choices of a filter by name. What is chosen stays a choice when its last container is gone. */
function choicesOf(list: ContainerGroupsAnswer['host'] | undefined, chosen: string) {
  const known = (list?.groups ?? []).map(({ key, name }) => ({ value: key, label: escapeInvisible(name) }));
  const named = known.toSorted((a, b) => compareNames(a.label, b.label));
  const isKnown = chosen === '' || known.some(({ value }) => value === chosen);
  return [{ value: '', label: 'All' }, ...(isKnown ? [] : [{ value: chosen, label: chosen }]), ...named];
}

interface ContainersToolbarProps {
  view: ContainersView;
  summary: ContainersSummary | undefined;
  groups: ContainerGroupsAnswer | undefined;
  onChange: (change: Partial<ContainersView>) => void;
}

export function ContainersToolbar({ view, summary, groups, onChange }: ContainersToolbarProps) {
  const [typed, setTyped] = useTyped(view.search, (search) => onChange({ search }));
  const hidden = summary?.hidden ?? 0;
  return (
    <Toolbar>
      <SearchField label="Filter by name, image, host" value={typed} onChange={setTyped} />
      <Filter
        label="Host"
        value={view.host}
        options={choicesOf(groups?.host, view.host)}
        onChange={(host) => onChange({ host, group: '' })}
      />
      <Filter
        label="State"
        value={view.state}
        options={STATES}
        onChange={(state) => onChange({ state: CONTAINER_FILTERS.find((each) => each === state) ?? '' })}
      />
      <Filter
        label="Image"
        value={view.image}
        options={choicesOf(groups?.image, view.image)}
        onChange={(image) => onChange({ image, group: '' })}
      />
      <Filter
        label="Compose"
        value={view.project}
        options={choicesOf(groups?.project, view.project)}
        onChange={(project) => onChange({ project, group: '' })}
      />
      <Filter
        label="Sort"
        value={view.sort}
        options={SORTS}
        onChange={(sort) => onChange({ sort: CONTAINER_SORTS.find((each) => each === sort) ?? 'worst' })}
      />
      <ToolbarEnd>
        {(hidden > 0 || view.hidden) && (
          <Toggle
            label="Hidden containers"
            value={view.hidden ? 'hidden' : 'shown'}
            options={[
              { value: 'shown', label: 'Shown' },
              { value: 'hidden', label: `${hidden} hidden` },
            ]}
            onChange={(next) => onChange({ hidden: next === 'hidden' })}
          />
        )}
        <Toggle
          label="Rows"
          value={view.group === '' ? 'flat' : view.group}
          options={GROUPINGS}
          onChange={(next) => onChange({ group: CONTAINER_GROUPINGS.find((each) => each === next) ?? '' })}
        />
      </ToolbarEnd>
    </Toolbar>
  );
}
