import { styled } from '@mui/material/styles';
import type { ChangesBeforeAnswer } from '@plimsoll/contract/wire/changes';
import { type Asking, Failure } from '../feedback/feed-panel.tsx';
import { Rows } from '../panel.tsx';
import { ChangeRow } from './change-row.tsx';

const Part = styled('section')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > h3': { ...theme.typography.h3, margin: 0, padding: '12px 16px 4px', fontWeight: 600 },
  '& > p': { ...theme.typography.caption, margin: 0, padding: '0 16px 12px', color: theme.vars.palette.load.text3 },
}));

/** The changes of the half-hour before something went wrong, the likeliest to explain it first. */
export function ChangedBefore({ asked }: { asked: Asking & { data?: ChangesBeforeAnswer | undefined } }) {
  const { data } = asked;
  return (
    <Part>
      <h3>Changed before this</h3>
      <Failure asked={asked} />
      {data?.changes.length === 0 && <p>Nothing is known to have changed in the 30 minutes before.</p>}
      <Rows>
        {data?.changes.map(({ why, ...change }) => (
          <ChangeRow key={change.id} change={change} why={why} />
        ))}
      </Rows>
    </Part>
  );
}
