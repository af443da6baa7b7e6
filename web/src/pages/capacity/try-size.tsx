import { styled } from '@mui/material/styles';
import { fitsQuery } from '../../api/capacity.ts';
import { useQuery } from '../../api/query.ts';
import { numberText } from '../../format/figures.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { useState } from 'react';

const Box = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: '8px 12px',
  padding: '10px 16px',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > p': { margin: 0, paddingBottom: 6 },
  '& > label, & > div': { width: 120 },
}));
const GIGABYTE = 2 ** 30;
const numberOf = (text: string): number | null => {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? null : value;
};

/** Number of pods of a size that fit, on nodes that take any pod. */
export function TrySize({ cluster }: { cluster: string }) {
  const [cores, setCores] = useState('0.5');
  const [memory, setMemory] = useState('1');
  const size = { cpu: numberOf(cores), gigabytes: numberOf(memory) };
  const isValid = size.cpu !== null && size.gigabytes !== null;
  const wanted = { cpu_cores: size.cpu ?? 0, memory_bytes: Math.round((size.gigabytes ?? 0) * GIGABYTE) };
  const asked = useQuery({ ...fitsQuery(cluster, wanted), enabled: isValid });
  const fit = isValid ? asked.data?.fit : undefined;
  return (
    <Box>
      <LabelledInput label="Cores" value={cores} onChange={(event) => setCores(event.target.value)} />
      <LabelledInput label="Memory in GB" value={memory} onChange={(event) => setMemory(event.target.value)} />
      <Failure asked={asked} />
      <p aria-live="polite">
        {!isValid && 'Enter a number of cores and of GB.'}
        {fit?.more != null && (
          <>
            <b>{numberText(fit.more)} more</b> fit without constraints
            {fit.first_limit === null ? '' : `, ${fit.first_limit} runs out first`}.
          </>
        )}
        {fit !== undefined && fit.more === null && `N/A: ${fit.reason ?? ''}`}
      </p>
    </Box>
  );
}
