import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { useEffect, useId, useState } from 'react';
import type { ReactNode } from 'react';
import { flag, storedValue } from '../../state/stored-value.ts';
import { useStored } from '../../state/use-stored.ts';
import { BandIcon } from '../status-icons.tsx';
import { InfoOutlined as InfoIcon } from '../icons/first-load.tsx';

/** True once this browser has shown the explanation. */
export const loadLineExplained = storedValue('plimsoll.load-line-explained', flag(false));

const Sentence = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  color: theme.vars.palette.text.secondary,
}));
const Box = styled('div')({ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: '0 4px' });

/** The title of a load line with its explanation: open on the first visit, behind ⓘ afterwards. */
export function LoadLineHelp({ children }: { children: ReactNode }) {
  const [explained, setExplained] = useStored(loadLineExplained);
  const [open, setOpen] = useState(!explained);
  const id = useId();
  useEffect(() => setExplained(true), [setExplained]);
  return (
    <>
      <Box>
        {children}
        <IconButton
          aria-label="Explain the load line"
          aria-expanded={open}
          aria-controls={id}
          title="Explain the load line"
          onClick={() => setOpen(!open)}
        >
          <InfoIcon />
        </IconButton>
      </Box>
      {open && (
        <Sentence id={id}>
          The load line is the warning threshold of each resource. Headroom is how many points a server is below it, by
          the resource that is nearest.
        </Sentence>
      )}
    </>
  );
}

const Legend = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'inline-flex',
  flexWrap: 'wrap',
  gap: '0 12px',
  color: theme.vars.palette.text.secondary,
  '& > span': { display: 'inline-flex', alignItems: 'center', gap: 5 },
}));

/** ▲ and ◇, said in words. */
export const BandSigns = () => (
  <Legend>
    <span>
      <BandIcon band="over" size={9} /> over the line
    </span>
    <span>
      <BandIcon band="near" size={9} /> within 20 points
    </span>
  </Legend>
);
