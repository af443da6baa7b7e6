import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { ForumOutlined as ForumIcon } from '../../components/icons/material.tsx';

const Box = styled('div')(({ theme }) => ({
  paddingTop: '12vh',
  textAlign: 'center',
  '& > svg': { fontSize: 28, color: theme.vars.palette.load.text3 },
  '& > h1': { ...theme.typography.h1, margin: '12px 0 4px' },
  '& > p': { margin: '0 auto 20px', maxWidth: 480, color: theme.vars.palette.text.secondary },
  '& > div': { display: 'grid', gap: 8, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 360px), 1fr))' },
}));
const Question = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  padding: '12px 14px',
  minHeight: 44,
  justifyContent: 'flex-start',
  textAlign: 'left',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 8,
  '&:hover': { backgroundColor: theme.vars.palette.action.selected },
}));

const QUESTIONS = [
  'What is the CPU load on my servers?',
  'Are there any active alerts?',
  'Which processes consume the most memory?',
  'Show statistics for the last hour',
];

/** Before the first question: what this is, and four ways to begin. */
export function Welcome({ onPick }: { onPick: (question: string) => void }) {
  return (
    <Box>
      <ForumIcon aria-hidden />
      <h1>AI Assistant</h1>
      <p>
        Ask about your servers, their load and their alerts. The assistant can read figures but cannot change anything.
      </p>
      <div>
        {QUESTIONS.map((question) => (
          <Question key={question} onClick={() => onPick(question)}>
            {question}
          </Question>
        ))}
      </div>
    </Box>
  );
}
