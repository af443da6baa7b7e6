import { styled } from '@mui/material/styles';
import { Cells, Section } from './landing-parts.tsx';

const STEPS = [
  ['Sign up', 'With GitHub, Google, your own provider, or a local account of this installation.'],
  [
    'Install agent',
    'Run one command on a server, or one Helm command for a cluster. Setup confirms the first report automatically.',
  ],
  ['Monitor', 'See the first chart after a minute. Load lines are already set, and alerts can go to your chat.'],
] as const;

const Number = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 28,
  height: 28,
  marginBottom: 12,
  boxSizing: 'border-box',
  border: `2px solid ${theme.vars.palette.load.line}`,
  borderRadius: '50%',
  fontWeight: 600,
  fontVariantNumeric: 'tabular-nums',
}));

export function Steps() {
  return (
    <Section aria-labelledby="steps">
      <h2 id="steps">Three steps</h2>
      <Cells as="ol">
        {STEPS.map(([title, text], index) => (
          <li key={title}>
            <Number aria-hidden>{index + 1}</Number>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </Cells>
    </Section>
  );
}
