import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { LogLine } from '@plimsoll/contract/wire/lines';
import { useState } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { momentMs } from '../../time/age.ts';
import { Age } from '../age.tsx';
import { sourceOf } from './line-words.ts';

/** Runs until a button shows the others. */
const SHOWN = 3;

const List = styled('ul')({ listStyle: 'none', margin: 0, padding: '0 0 8px' });
const Run = styled('li')(({ theme }) => ({
  padding: '4px 16px',
  '& > div': { display: 'flex', flexWrap: 'wrap', gap: '0 8px', overflowWrap: 'anywhere' },
  '& b': { fontWeight: 600, minWidth: 0 },
  '& > div > span': { ...theme.typography.caption, lineHeight: '20px', color: theme.vars.palette.text.secondary },
}));
const Text = styled('pre')(({ theme }) => ({
  margin: '4px 0',
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
const More = styled('div')({ padding: '0 8px 8px' });

const runKey = ({ cluster_id: cluster, namespace, pod, container, run, ended_at: end }: LogLine): string =>
  [cluster, namespace, pod, container, run, end].join('/');

interface RunWordsProps {
  /** Newest first. */
  lines: readonly [LogLine, ...LogLine[]];
  isOnePod: boolean;
}

function RunWords({ lines, isOnePod }: RunWordsProps) {
  const [line] = lines;
  const name = isOnePod ? escapeInvisible(line.container ?? '') : sourceOf(line);
  return (
    <Run>
      <div>
        <b>{name}</b>
        <span>{line.run === null ? 'run not known' : `run ${String(line.run + 1)}`}</span>
        <span>
          ended <Age at={momentMs(line.ended_at ?? line.at)} />
        </span>
      </div>
      {/* Strangers write these lines, so they are never links or markup. */}
      <Text tabIndex={0} role="region" aria-label={`Last words of ${name}`}>
        {lines
          .map(({ text }) => escapeInvisible(text))
          .toReversed()
          .join('\n')}
      </Text>
    </Run>
  );
}

interface WordsOfRunsProps {
  /** Last words, newest first. */
  lines: readonly LogLine[];
  /** The place names the pod already. */
  isOnePod?: boolean;
}

/** Last words by the run of the container that wrote them: the newest run first, its lines as they were written. */
export function WordsOfRuns({ lines, isOnePod = false }: WordsOfRunsProps) {
  const [areAllShown, setAllShown] = useState(false);
  const runs = [...Map.groupBy(lines, runKey)];
  const shown = areAllShown ? runs : runs.slice(0, SHOWN);
  return (
    <>
      <List>
        {shown.map(([key, [first, ...others]]) =>
          first === undefined ? null : <RunWords key={key} lines={[first, ...others]} isOnePod={isOnePod} />,
        )}
      </List>
      {shown.length < runs.length && (
        <More>
          <Button size="small" onClick={() => setAllShown(true)}>
            Show all {runs.length} runs
          </Button>
        </More>
      )}
    </>
  );
}
