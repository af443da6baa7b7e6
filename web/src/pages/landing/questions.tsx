import { styled } from '@mui/material/styles';
import { Section } from './landing-parts.tsx';

const QUESTIONS = [
  [
    'What does the agent read?',
    'Kernel counters: /proc and /sys on Linux, the same figures on macOS, and the kubelet’s summary on Kubernetes. It does not read your files, environment variables or traffic. Its documentation lists every source.',
  ],
  [
    'Can the dashboard run something on my servers?',
    'No. The agent sends reports and reads a short response. The response can only change how often the agent reports; it cannot make the agent run, read or write anything else.',
  ],
  [
    'What if the connection breaks?',
    'The agent writes every report to disk first and keeps up to 24 hours. When the link is back, it sends the newest report first and then the rest, so the charts fill in.',
  ],
  [
    'Why a line and not just a percentage?',
    'A disk that stays at 80 % for a year needs no action; a disk that grows does. The line is the threshold at which you act. The distance to it is comparable between servers and resources.',
  ],
  [
    'Does it replace Prometheus?',
    'No. Keep Prometheus for the metrics of your own applications. If a cluster has Prometheus, Plimsoll reads the first days of history from it.',
  ],
  [
    'How do I remove it?',
    'One command on the server removes the agent, its user and its files; helm uninstall does the same for a cluster. Deleting your account deletes all its stored data.',
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
