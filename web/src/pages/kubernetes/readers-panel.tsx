import { styled } from '@mui/material/styles';
import type { Permission, PermissionsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { Chip } from '../../components/chips.tsx';
import { ProblemWords } from '../../components/kubernetes/cluster-notices.tsx';
import { LevelIcon } from '../../components/status-icons.tsx';
import { Panel, Rows } from '../../components/panel.tsx';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  padding: '8px 16px',
  '& > svg': { marginTop: 2 },
  '& b': { fontWeight: 600 },
  '& p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere' },
}));

const works = ({ state }: Permission) => state === 'ok' || state === 'off' || state === 'starting';

/** Which readers of the collectors fail, what they would need, and what is missing on the screens meanwhile. */
export function ReadersPanel({ answer }: { answer: PermissionsAnswer }) {
  const failing = answer.permissions.filter((each) => !works(each));
  if (failing.length === 0) return null;
  return (
    <Panel title="Missing figures" note={`${failing.length} of ${answer.total} sources fail`}>
      <Rows>
        {failing.map((each) => (
          <Row key={`${each.cluster_id} ${each.who} ${each.reader}`}>
            <LevelIcon level="warning" />
            <div>
              <ProblemWords problem={each} />
            </div>
            <Chip tone="near">{each.state}</Chip>
          </Row>
        ))}
      </Rows>
    </Panel>
  );
}
