import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import ToggleButton from '@mui/material/ToggleButton';
import { styled } from '@mui/material/styles';
import { formatScope, parseScope, type ScopeKey } from '@plimsoll/contract/rules/scope';
import { useId, useState } from 'react';
import { allClustersQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { allServersQuery } from '../../api/servers.ts';
import { ErrorState, failureDetail } from '../../components/feedback/states.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { useScope, type ScopeState } from '../../state/use-scope.ts';
import { scopeGroups, type ScopeGroup } from './scope-options.ts';
import { plural } from '../../format/figures.ts';

const GROUP_NAME: Record<ScopeKey, string> = { tag: 'Tags', region: 'Regions', cluster: 'Clusters', status: 'Status' };
/** More than these are typed. */
const MOST_OPTIONS = 40;

const Group = styled('fieldset')(({ theme }) => ({
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
  '& legend': { ...theme.typography.caption, padding: '0 0 4px', color: theme.vars.palette.text.secondary },
  '& > div': { display: 'flex', flexWrap: 'wrap', gap: 6 },
  '& p': { ...theme.typography.caption, margin: '4px 0 0', color: theme.vars.palette.load.text3 },
}));
const Option = styled(ToggleButton)(({ theme }) => ({
  gap: 6,
  maxWidth: '100%',
  padding: '2px 10px',
  textTransform: 'none',
  overflowWrap: 'anywhere',
  '& small': { fontSize: 12, color: theme.vars.palette.load.text3 },
  '&.Mui-selected': { borderColor: theme.vars.palette.info.main, color: theme.vars.palette.text.primary },
  [theme.breakpoints.down('sm')]: { minHeight: 40 },
}));

function Options({ group: { key, options }, scope }: { group: ScopeGroup; scope: ScopeState }) {
  const more = options.length - MOST_OPTIONS;
  return (
    <Group>
      <legend>{GROUP_NAME[key]}</legend>
      <div>
        {options.slice(0, MOST_OPTIONS).map(({ term, count }) => (
          <Option
            key={term.value}
            size="small"
            value={term.value}
            selected={scope.has(term)}
            onChange={() => scope.toggle(term)}
          >
            {term.value}
            {count !== null && <small aria-label={plural(count, 'server')}>{count}</small>}
          </Option>
        ))}
      </div>
      {more > 0 && <p>{more} more. Type one above.</p>}
    </Group>
  );
}

const focus = (field: HTMLInputElement | null) => field?.focus();

function Typed({ scope }: { scope: ScopeState }) {
  const shown = formatScope(scope.scope);
  const [text, setText] = useState<{ value: string; of: string }>({ value: shown, of: shown });
  const [problem, setProblem] = useState<string | null>(scope.problem);
  // A choice below replaces the typed text.
  const value = text.of === shown ? text.value : shown;
  const apply = () => {
    const parsed = parseScope(value);
    if ('problem' in parsed) return setProblem(`${parsed.problem}.`);
    setProblem(null);
    setText({ value: formatScope(parsed.scope), of: formatScope(parsed.scope) });
    return scope.setScope(parsed.scope);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <LabelledInput
        label="Show only servers with"
        placeholder="tag:env=prod, region:fra"
        value={value}
        inputRef={focus}
        spellCheck={false}
        inputProps={{ autoCapitalize: 'none' }}
        onChange={(event) => setText({ value: event.target.value, of: shown })}
        problem={problem}
        hint="Terms of one key are alternatives; different keys must all match. Enter applies it."
        endAdornment={
          <Button type="submit" size="small">
            Apply
          </Button>
        }
      />
    </form>
  );
}

function Choices({ scope }: { scope: ScopeState }) {
  // All servers, so that those outside the scope can still be picked.
  const servers = useQuery(allServersQuery());
  const clusters = useQuery(allClustersQuery());
  if (servers.data === undefined) {
    return servers.error === null ? (
      <p role="status">Loading tags and regions…</p>
    ) : (
      <ErrorState
        message={servers.error.message}
        detail={failureDetail(servers.error)}
        onRetry={() => void servers.refetch()}
      />
    );
  }
  const groups = scopeGroups(servers.data.servers, clusters.data?.clusters ?? []);
  if (groups.length === 0) return <p>There are no servers yet, so there is nothing to pick.</p>;
  return (
    <>
      {groups.map((group) => (
        <Options key={group.key} group={group} scope={scope} />
      ))}
      {groups.every(({ key }) => key !== 'tag') && (
        <p>No server has a tag. Open a server and choose Edit to add one.</p>
      )}
    </>
  );
}

/** Types or picks the scope; each choice applies at once. */
export default function ScopePicker({ onClose }: { onClose: () => void }) {
  const scope = useScope();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} transitionDuration={0} maxWidth="sm" fullWidth>
      <DialogTitle id={id} sx={{ typography: 'h2', fontSize: 16 }}>
        Scope of every page
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, '& p': { margin: 0 } }}>
        <Typed scope={scope} />
        <Choices scope={scope} />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="outlined" disabled={scope.scope.length === 0} onClick={() => scope.setScope([])}>
          Clear the scope
        </Button>
        <Button variant="contained" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
