import { styled } from '@mui/material/styles';
import type { AnswerChart as ShownChart, AnswerSource } from '@plimsoll/contract/wire/ai';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Link } from '../../router.ts';
import { AnswerChart } from './answer-chart.tsx';
import { Markdown } from './markdown.tsx';

const Box = styled('article')(({ theme }) => ({
  minWidth: 0,
  '& > h3': { ...theme.typography.caption, margin: '0 0 4px', color: theme.vars.palette.load.text3 },
  '& > .said': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '&[data-role="user"] > .said': {
    padding: '8px 12px',
    borderRadius: 8,
    border: `1px solid ${theme.vars.palette.divider}`,
    backgroundColor: theme.vars.palette.action.selected,
  },
  '& > .charts': { display: 'grid', gap: 12, margin: '12px 0' },
}));
const Foot = styled('footer')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  marginTop: 8,
  color: theme.vars.palette.text.secondary,
  '& ul': { display: 'contents', listStyle: 'none' },
  '& a': { display: 'inline-flex', alignItems: 'center', minHeight: 32 },
  '@media (pointer: coarse)': { '& a': { minHeight: 40 } },
  '& strong': { color: theme.vars.palette.load.nearText, fontWeight: 600 },
}));

const NAME = { user: 'You', assistant: 'AI Assistant' } as const;

export interface ShownMessage {
  role: 'user' | 'assistant';
  content: string;
  sources?: readonly AnswerSource[];
  charts?: readonly ShownChart[];
  unmatched?: readonly string[];
  /** The answer is still arriving. */
  arriving?: boolean;
}

export function Message({ message }: { message: ShownMessage }) {
  const { role, content, sources = [], charts = [], unmatched = [], arriving = false } = message;
  return (
    <Box data-role={role}>
      <h3>{NAME[role]}</h3>
      {role === 'user' ? <div className="said">{content}</div> : <Markdown text={content} />}
      {charts.length > 0 && (
        <div className="charts">
          {charts.map((chart) => (
            <AnswerChart key={`${chart.metric} ${chart.title} ${chart.from}`} chart={chart} />
          ))}
        </div>
      )}
      {role === 'assistant' && !arriving && content !== '' && (
        <Foot>
          {sources.length > 0 && (
            <>
              <span>Sources:</span>
              <ul>
                {sources.map(({ title, href }) => (
                  <li key={href}>
                    <Link to={href}>{title}</Link>
                  </li>
                ))}
              </ul>
            </>
          )}
          {unmatched.length > 0 && (
            <strong>
              {unmatched.length === 1 ? '1 figure is' : `${unmatched.length} figures are`} not in the data read for this
              answer.
            </strong>
          )}
          <CopyButton text={content} name="Copy answer" />
        </Foot>
      )}
    </Box>
  );
}
