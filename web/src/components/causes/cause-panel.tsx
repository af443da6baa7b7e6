import Button from '@mui/material/Button';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import { useState } from 'react';
import { causeQuery, readEvidence, type CauseSubject } from '../../api/causes.ts';
import { useQuery } from '../../api/query.ts';
import { useIsAdmin } from '../../api/user.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { clockTime, fullMoment } from '../../time/zone.ts';
import { saveFile } from '../export/export-file.ts';
import { Failure } from '../feedback/feed-panel.tsx';
import { RowsSkeleton } from '../feedback/skeletons.tsx';
import { DownloadOutlined as DownloadIcon } from '../icons/pages.tsx';
import { Frame } from './cause-style.ts';
import { entityName, ownPage } from './cause-words.ts';
import { FoldList } from './fold-list.tsx';
import { OneCause } from './one-cause.tsx';

/** Victims of the cause, each with a link to its page. */
const Victims = ({ victims }: Pick<CauseAnswer, 'victims'>) => (
  <FoldList
    label={victims.length === 1 ? '1 more fails because of it' : `${String(victims.length)} more fail because of it`}
  >
    {victims.map(({ entity, text }, index) => {
      const to = ownPage(entity.href);
      const name = entityName(entity);
      return (
        <li key={index}>
          {to === null ? name : <Link to={to}>{name}</Link>}
          <small>{escapeInvisible(text)}</small>
        </li>
      );
    })}
  </FoldList>
);

/** Candidates that were examined and do not explain it. */
const RuledOut = ({ ruled_out: ruledOut }: Pick<CauseAnswer, 'ruled_out'>) => (
  <FoldList label={`Not the cause: ${String(ruledOut.length)}`}>
    {ruledOut.map(({ text, reason }, index) => (
      <li key={index}>
        <span>{escapeInvisible(text)}</span>
        <small>{escapeInvisible(reason)}</small>
      </li>
    ))}
  </FoldList>
);

/** Saves all that the answer was computed from, for a report about a wrong one. */
function EvidenceButton({ incidentId }: { incidentId: string }) {
  const [state, setState] = useState<'idle' | 'reading' | 'failed'>('idle');
  const save = async (): Promise<void> => {
    setState('reading');
    try {
      const evidence = await readEvidence(incidentId);
      saveFile(`evidence-${incidentId}.json`, 'application/json', JSON.stringify(evidence, null, 2));
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <Button
      variant="text"
      startIcon={<DownloadIcon aria-hidden />}
      disabled={state === 'reading'}
      onClick={() => void save()}
    >
      <span aria-live="polite">{state === 'failed' ? 'Not read. Try again' : 'Evidence of this answer'}</span>
    </Button>
  );
}

function Foot({ answer, subject }: { answer: CauseAnswer; subject: CauseSubject }) {
  const isAdmin = useIsAdmin();
  const at = momentMs(answer.computed_at) ?? 0;
  return (
    <footer>
      <span>
        Computed at{' '}
        <time dateTime={answer.computed_at} title={fullMoment(at)}>
          {clockTime(at)}
        </time>{' '}
        from what this installation stores. No model took part.
      </span>
      {isAdmin && 'incidentId' in subject && <EvidenceButton incidentId={subject.incidentId} />}
    </footer>
  );
}

const NotFound = ({ answer: { symptoms } }: { answer: CauseAnswer }) => (
  <div>
    <h3>No likely cause</h3>
    <p className="quiet">
      {symptoms <= 1
        ? 'Nothing that is stored explains the symptom.'
        : `Nothing that is stored explains half of the ${plural(symptoms, 'symptom')}.`}{' '}
      The changes before it, its processes and its events are below.
    </p>
  </div>
);

function Answer({ answer, subject }: { answer: CauseAnswer; subject: CauseSubject }) {
  const { causes, status, victims, symptoms } = answer;
  const isFound = status === 'found' && causes.length > 0;
  return (
    <>
      {isFound ? (
        causes.map((cause, index) => <OneCause key={index} cause={cause} symptoms={symptoms} isFirst={index === 0} />)
      ) : (
        <NotFound answer={answer} />
      )}
      {(victims.length > 0 || answer.ruled_out.length > 0) && (
        <div className="acts" style={{ marginTop: 0, paddingBlock: 4 }}>
          <Victims victims={victims} />
          <RuledOut ruled_out={answer.ruled_out} />
        </div>
      )}
      <Foot answer={answer} subject={subject} />
    </>
  );
}

/** The likely cause of an incident or an alert, or that none was found. */
export function CausePanel({ subject }: { subject: CauseSubject }) {
  const asked = useQuery(causeQuery(subject));
  return (
    <Frame aria-label="Likely cause" aria-busy={asked.isPending}>
      {asked.isPending && (
        <div>
          <h3>Looking for the cause…</h3>
          <RowsSkeleton rows={3} height={24} />
        </div>
      )}
      {asked.error !== null && (
        <div>
          <Failure asked={asked} />
        </div>
      )}
      {asked.data !== undefined && <Answer answer={asked.data} subject={subject} />}
    </Frame>
  );
}
