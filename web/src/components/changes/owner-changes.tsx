import { styled } from '@mui/material/styles';
import type { ChangePlace } from '@plimsoll/contract/rules/changes';
import type { ChangesAnswer } from '@plimsoll/contract/wire/changes';
import { ROWS } from '../../api/polling.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Rows } from '../panel.tsx';
import { ChangeRow } from './change-row.tsx';

const Part = styled('section')(({ theme }) => ({
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > h3': { ...theme.typography.h3, margin: 0, padding: '12px 16px 4px', fontWeight: 600 },
  '& > a': { ...theme.typography.caption, display: 'inline-block', padding: '4px 16px 12px' },
}));

interface OwnerChangesProps {
  place: ChangePlace;
  data: ChangesAnswer | undefined;
}

/** The latest changes of what owns a pod. Nothing where there are none: a drawer has little room. */
export function OwnerChanges({ place, data }: OwnerChangesProps) {
  if (data === undefined || data.changes.length === 0) return null;
  return (
    <Part>
      <h3>Changes of its owner, last 7 days</h3>
      <Rows>
        {data.changes.map((change) => (
          <ChangeRow key={change.id} change={change} dated />
        ))}
      </Rows>
      {data.total > ROWS.drawerChanges && <Link to={paths.changesOf({ ...place })}>All {data.total}</Link>}
    </Part>
  );
}
