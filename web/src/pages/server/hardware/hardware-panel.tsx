import { styled } from '@mui/material/styles';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { Age } from '../../../components/age.tsx';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Panel, Rows } from '../../../components/panel.tsx';
import { LevelIcon } from '../../../components/status-icons.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { momentMs } from '../../../time/age.ts';
import { hardwareState, type Line } from './hardware-state.ts';
import type { Trouble } from './hardware-words.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  alignItems: 'start',
  padding: '9px 16px',
  '& > svg': { marginTop: 2 },
  '& .message': { fontWeight: 600, overflowWrap: 'anywhere' },
  '& .facts': { ...theme.typography.caption, color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere' },
  '& .age': { ...theme.typography.caption, lineHeight: '20px', color: theme.vars.palette.load.text3 },
}));
/** The lines of what is well stand below what is not. */
const Quiet = styled('div')(({ theme }) => ({
  'ul + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& .more': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
}));

function TroubleRow({ trouble: { level, message, facts, at } }: { trouble: Trouble }) {
  return (
    <Row>
      <LevelIcon level={level} />
      <div style={{ minWidth: 0 }}>
        <div className="message">
          <VisuallyHidden>{LEVEL_NAME[level]}: </VisuallyHidden>
          {message}
        </div>
        {facts.length > 0 && <div className="facts">{facts.join(' · ')}</div>}
      </div>
      <div className="age">{at !== null && <Age at={momentMs(at)} form="short" />}</div>
    </Row>
  );
}

function LineValue({ line: { value, reason, more, at, verb } }: { line: Line }) {
  return (
    <>
      {value === null ? <Figure value={null} reason={reason} /> : value}
      {(more !== null || at !== null) && (
        <div className="more">
          {more}
          {more !== null && at !== null && ', '}
          {at !== null && <Age at={momentMs(at)} prefix={`${verb} `} />}
        </div>
      )}
    </>
  );
}

/** State of RAID, pools, drives, GPUs, fans, batteries and updates: one line for each kind, and trouble first. */
export function HardwarePanel({ server }: { server: ServerDetail }) {
  const { troubles, lines } = hardwareState(server);
  if (troubles.length + lines.length === 0) return null;
  const words =
    troubles.length === 0 ? 'all well' : `${troubles.length} ${troubles.length === 1 ? 'needs' : 'need'} attention`;
  const reportedAt = server.status === 'refused' ? server.refusal?.last_stored_at : server.last_seen_at;
  const note =
    server.status === 'active' ? (
      words
    ) : (
      <>
        {words}, <Age at={momentMs(reportedAt)} />
      </>
    );
  return (
    <Panel title="Hardware" note={note} fold={note}>
      {troubles.length > 0 && (
        <Rows aria-label="Needs attention">
          {troubles.map((trouble, place) => (
            // Two chips can have a fan of one name.
            <TroubleRow key={place} trouble={trouble} />
          ))}
        </Rows>
      )}
      {lines.length > 0 && (
        <Quiet>
          <Facts facts={lines.map((line) => ({ name: line.name, value: <LineValue line={line} /> }))} />
        </Quiet>
      )}
    </Panel>
  );
}
