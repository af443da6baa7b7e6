import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { formatScope, type ScopeTerm } from '@plimsoll/contract/rules/scope';
import { useQuery } from '../../api/query.ts';
import { serversQuery } from '../../api/servers.ts';
import { plural } from '../../format/figures.ts';
import { useScope } from '../../state/use-scope.ts';
import { Close as CloseIcon } from '../../components/icons/material.tsx';

const Band = styled('section')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  padding: '6px 24px',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.secondary,
  '& ul': { display: 'flex', flexWrap: 'wrap', gap: 6, margin: 0, padding: 0, listStyle: 'none', minWidth: 0 },
  '& > span': { minWidth: 0, overflowWrap: 'anywhere' },
  '& > span[data-warn]': { color: theme.vars.palette.load.nearText },
  '@media print': { display: 'none' },
  [theme.breakpoints.down('sm')]: { padding: '6px 12px', '& > button': { minHeight: 40 } },
}));
const Term = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.caption,
  gap: 4,
  minHeight: 24,
  maxWidth: '100%',
  padding: '0 6px 0 8px',
  border: `1px solid ${theme.vars.palette.info.main}`,
  borderRadius: 4,
  color: theme.vars.palette.text.primary,
  overflowWrap: 'anywhere',
  '& svg': { fontSize: 14, flex: 'none' },
  [theme.breakpoints.down('sm')]: { minHeight: 40 },
}));

const termText = ({ key, value }: ScopeTerm): string => `${key}:${value}`;

function Matches({ text }: { text: string }) {
  const asked = useQuery(serversQuery({ limit: 1 }));
  if (asked.data === undefined)
    return <span>{asked.error === null ? 'Counting servers…' : 'Servers not counted'}</span>;
  const { total } = asked.data;
  return total === 0 ? (
    <span data-warn>No server matches {text}. Clear the scope to see the others.</span>
  ) : (
    <span>{plural(total, 'server')}</span>
  );
}

/** Names the scope below the top bar while there is one, and how many servers it holds. */
export function ScopeBand() {
  const { scope, problem, toggle, setScope } = useScope();
  if (scope.length === 0 && problem === null) return null;
  return (
    <Band aria-label="Scope">
      {problem === null ? (
        <>
          <ul aria-label="Terms of the scope">
            {scope.map((term) => (
              <li key={termText(term)}>
                <Term onClick={() => toggle(term)} aria-label={`Remove ${termText(term)} from the scope`}>
                  {termText(term)}
                  <CloseIcon aria-hidden />
                </Term>
              </li>
            ))}
          </ul>
          <Matches text={formatScope(scope)} />
        </>
      ) : (
        <span data-warn role="alert">
          The scope in the address cannot be used: {problem}. This page shows every server.
        </span>
      )}
      <Button size="small" onClick={() => setScope([])}>
        Clear the scope
      </Button>
    </Band>
  );
}
