import Button from '@mui/material/Button';
import { formatScope } from '@plimsoll/contract/rules/scope';
import { useScope } from '../../state/use-scope.ts';
import { EmptyState } from './states.tsx';

/** Instead of "no servers yet" while a scope leaves all of them out. */
export function NoServerInScope() {
  const { scope, setScope } = useScope();
  return (
    <EmptyState
      size="page"
      sentence={`No server matches ${formatScope(scope)}`}
      reason="Your other servers are outside this scope."
      action={
        <Button variant="outlined" onClick={() => setScope([])}>
          Clear the scope
        </Button>
      }
    />
  );
}
