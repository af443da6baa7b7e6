import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { HiddenKind } from '@plimsoll/contract/rules/servers/hidden-parts';
import type { HiddenPart, HiddenPartsAnswer } from '@plimsoll/contract/wire/hidden-parts';
import { Age } from '../../../components/age.tsx';
import { ErrorState } from '../../../components/feedback/states.tsx';
import { MiddleTruncate } from '../../../components/middle-truncate.tsx';
import { Panel, Rows } from '../../../components/panel.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { numberText } from '../../../format/figures.ts';
import { momentMs } from '../../../time/age.ts';

const KIND_NAME: Record<HiddenKind, string> = {
  filesystem: 'Filesystem',
  interface: 'Interface',
  sensor: 'Sensor',
  container: 'Container',
};

const Row = styled('li')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 40,
  padding: '4px 16px',
  '& > .quiet': { ...theme.typography.caption, color: theme.vars.palette.load.text3, whiteSpace: 'nowrap' },
  '& > .subject': { minWidth: 0, marginRight: 'auto' },
}));

interface HiddenPanelProps {
  hidden: HiddenPartsAnswer['hidden'];
  /** null: the reader may not change it. */
  onShow: ((part: HiddenPart) => void) | null;
  /** Why the last change failed; null: it did not. */
  problem: string | null;
}

/** "3 hidden": what neither alerts nor counts in the headroom, each with the way back. */
export function HiddenPanel({ hidden, onShow, problem }: HiddenPanelProps) {
  if (hidden.length === 0 && problem === null) return null;
  return (
    <Panel title={`${numberText(hidden.length)} hidden`} note="No alerts, not in the headroom">
      {problem !== null && <ErrorState message={problem} />}
      <Rows aria-label="Hidden parts">
        {hidden.map(({ kind, subject, hidden_at: at }) => (
          <Row key={`${kind} ${subject}`}>
            <span className="subject">
              <MiddleTruncate text={escapeInvisible(subject)} />
            </span>
            <span className="quiet">
              {KIND_NAME[kind]}, <Age at={momentMs(at)} />
            </span>
            {onShow !== null && (
              <Button
                size="small"
                variant="outlined"
                aria-label={`Show again ${escapeInvisible(subject)}`}
                onClick={() => onShow({ kind, subject })}
              >
                Show again
              </Button>
            )}
          </Row>
        ))}
      </Rows>
    </Panel>
  );
}
