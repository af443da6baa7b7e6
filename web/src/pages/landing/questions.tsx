import { styled } from '@mui/material/styles';
import { Section } from './landing-parts.tsx';

const QUESTIONS = [
  [
    'What does the agent read?',
    'What the kernel counts: /proc and /sys on Linux, the same figures on macOS, the kubelet’s summary on Kubernetes. It reads no file of yours, no environment variable and no traffic. Its documentation lists every source.',
  ],
  [
    'Can the dashboard run something on my servers?',
    'No. The agent sends and reads the short answer; nothing in that answer can make it run, read or write anything. It can only change how often it reports.',
  ],
  [
    'What if the connection breaks?',
    'The agent writes every report to disk first and keeps up to 24 hours. When the link is back it sends the newest first, then the rest; the charts fill in.',
  ],
  [
    'Why a line and not just a percentage?',
    'Because 80 % of a disk that has not moved in a year and 80 % of one that grows are different news. The line is the threshold you act on; the distance to it is comparable between servers and resources.',
  ],
  [
    'Does it replace Prometheus?',
    'No. If you need the metrics of your own applications, keep it. Plimsoll reads a Prometheus where there is one to fill in the first days of a cluster.',
  ],
  [
    'How do I get rid of it?',
    'One command on the server removes the agent, its user and its files; helm uninstall does the same for a cluster. Deleting your account deletes what was stored.',
  ],
] as const;

const List = styled('div')(({ theme }) => ({
  marginTop: 32,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  backgroundColor: theme.vars.palette.background.paper,
  overflow: 'hidden',
  '& > details + details': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& summary': {
    display: 'flex',
    alignItems: 'center',
    minHeight: 48,
    padding: '4px 16px',
    boxSizing: 'border-box',
    cursor: 'pointer',
    fontSize: 15,
    fontWeight: 500,
    listStyle: 'none',
    '&::-webkit-details-marker': { display: 'none' },
    '&::after': {
      content: '"+"',
      marginLeft: 'auto',
      paddingLeft: 16,
      fontSize: 18,
      color: theme.vars.palette.load.text3,
    },
    '&:hover': { backgroundColor: theme.vars.palette.action.selected },
    '&:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: -2 },
  },
  '& details[open] > summary::after': { content: '"−"' },
  '& p': {
    maxWidth: 760,
    margin: 0,
    padding: '0 16px 16px',
    fontSize: 14,
    lineHeight: '22px',
    color: theme.vars.palette.text.secondary,
  },
}));

export function Questions() {
  return (
    <Section aria-labelledby="faq">
      <h2 id="faq">Questions</h2>
      <List>
        {QUESTIONS.map(([question, answer]) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </List>
    </Section>
  );
}
