import { styled } from '@mui/material/styles';
import type { Permission, PermissionsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { useState } from 'react';
import { Chip } from '../../components/chips.tsx';
import { ProblemWords } from '../../components/kubernetes/cluster-notices.tsx';
import { LevelIcon } from '../../components/status-icons.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { SeparateCluster, SeparatedNotice } from './separate-cluster.tsx';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  padding: '8px 16px',
  '& > svg': { marginTop: 2 },
  '& b': { fontWeight: 600 },
  '& p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere' },
}));

/** The entry of a second cluster with the uid of this one. */
const SECOND_CLUSTER = 'another_collector_reports';
const works = ({ state }: Permission) => state === 'ok' || state === 'off' || state === 'starting';

/** Which readers of the collectors fail, what they would need, and what is missing on the screens meanwhile. */
export function ReadersPanel({ answer }: { answer: PermissionsAnswer }) {
  const failing = answer.permissions.filter((each) => !works(each));
  const [token, setToken] = useState<string | null>(null);
  const separated = token === null ? null : <SeparatedNotice token={token} />;
  if (failing.length === 0) return separated;
  return (
    <Panel title="Missing figures" note={`${failing.length} of ${answer.total} sources fail`}>
      {separated}
      <Rows>
        {failing.map((each) => (
          <Row key={`${each.cluster_id} ${each.who} ${each.reader}`}>
            <LevelIcon level="warning" />
            <div>
              <ProblemWords problem={each} />
              {each.reader === SECOND_CLUSTER && <SeparateCluster clusterId={each.cluster_id} onSeparated={setToken} />}
            </div>
            <Chip tone="near">{each.state}</Chip>
          </Row>
        ))}
      </Rows>
    </Panel>
  );
}
