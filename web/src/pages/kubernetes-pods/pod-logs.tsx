import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import { styled } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import type { PodContainer, PodLogsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { useState } from 'react';
import { failureText } from '../../api/client.ts';
import { podLogsQuery } from '../../api/kubernetes.ts';
import type { LogChoice, PodName } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { Age } from '../../components/age.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { momentMs } from '../../time/age.ts';

const Part = styled('section')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  padding: '10px 16px 12px',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 8,
  '& > h3': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.load.text3 },
  '& > .choice': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 },
  '& > .choice > .MuiTextField-root': { minWidth: 140 },
  '& .facts': {
    ...theme.typography.caption,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    color: theme.vars.palette.load.text3,
  },
}));
const Text = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: '6px 8px',
  maxHeight: 320,
  overflow: 'auto',
  fontSize: 11,
  lineHeight: '16px',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  borderRadius: 4,
  backgroundColor: theme.vars.palette.background.default,
}));

function Lines({ answer }: { answer: PodLogsAnswer }) {
  if (answer.state === 'pending' && answer.lines.length === 0)
    return <Notice>The cluster collector reads the log. It asks for work every 10 seconds.</Notice>;
  if (answer.state === 'failed')
    return <Notice tone="warning">{escapeInvisible(answer.detail ?? 'The log could not be read.')}</Notice>;
  const text = answer.lines.join('\n');
  return (
    <>
      <div className="facts">
        <span>
          {answer.lines.length === 0 ? 'The container wrote nothing' : `Last ${plural(answer.lines.length, 'line')}`},
          read <Age at={momentMs(answer.fetched_at)} />
          {!answer.previous && ', refreshed every 5 s'}
        </span>
        {answer.lines.length > 0 && <CopyButton text={text} name="Copy log" />}
      </div>
      {answer.lines.length > 0 && (
        <Text tabIndex={0} role="region" aria-label={`Log of ${escapeInvisible(answer.container)}`}>
          {answer.lines.map(escapeInvisible).join('\n')}
        </Text>
      )}
    </>
  );
}

function Log({ pod, choice }: { pod: PodName; choice: LogChoice }) {
  const asked = useQuery(podLogsQuery(pod, choice));
  if (asked.error !== null) return <Notice tone="warning">{failureText(asked.error)}</Notice>;
  return asked.data === undefined ? null : <Lines answer={asked.data} />;
}

/** The last 200 lines of a container, on request: nothing is read until somebody asks. */
export function PodLogs({ pod, containers }: { pod: PodName; containers: readonly PodContainer[] }) {
  const [container, setContainer] = useState(containers[0]?.name ?? '');
  const [previous, setPrevious] = useState(false);
  const [choice, setChoice] = useState<LogChoice | null>(null);
  const hasEarlierRun = containers.find(({ name }) => name === container)?.last_termination != null;
  const isPrevious = previous && hasEarlierRun;
  if (containers.length === 0) return null;
  return (
    <Part>
      <h3>Log</h3>
      <div className="choice">
        {containers.length > 1 && (
          <TextField
            select
            size="small"
            label="Container"
            value={container}
            onChange={({ target }) => setContainer(target.value)}
          >
            {containers.map(({ name }) => (
              <MenuItem key={name} value={name}>
                {escapeInvisible(name)}
              </MenuItem>
            ))}
          </TextField>
        )}
        {hasEarlierRun && (
          <FormControlLabel
            control={<Checkbox size="small" checked={previous} onChange={(_, checked) => setPrevious(checked)} />}
            label="Previous run"
          />
        )}
        <Button
          variant="outlined"
          onClick={() => setChoice({ container, previous: isPrevious, round: (choice?.round ?? 0) + 1 })}
        >
          Show last 200 lines
        </Button>
      </div>
      {choice !== null && <Log pod={pod} choice={choice} />}
    </Part>
  );
}
