import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ServerFitsAnswer } from '@plimsoll/contract/wire/capacity';
import { useState } from 'react';
import { serverFitsQuery } from '../../api/capacity.ts';
import { useQuery } from '../../api/query.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Figure } from '../../components/figure.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { Panel } from '../../components/panel.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

const Size = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: '8px 12px',
  padding: '10px 16px',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > div': { width: 120 },
  '& > p': { margin: 0, paddingBottom: 6 },
}));
const Scroll = styled('div')({
  overflowX: 'auto',
  '& td, & th': { padding: '6px 10px', whiteSpace: 'nowrap' },
  '& td:first-of-type, & th:first-of-type': { paddingLeft: 16 },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& a': { fontWeight: 600 },
});

const GIGABYTE = 2 ** 30;
const SHOWN = 10;
const numberOf = (text: string): number | null => {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? null : value;
};

/** Which servers take a load of a size, with their headroom before and after. */
export function FindRoom() {
  const [cores, setCores] = useState('4');
  const [memory, setMemory] = useState('16');
  const size = { cores: numberOf(cores), gigabytes: numberOf(memory) };
  const isValid = size.cores !== null && size.gigabytes !== null;
  const wanted = { cores: size.cores ?? 0, memory_bytes: Math.round((size.gigabytes ?? 0) * GIGABYTE) };
  const asked = useQuery({ ...serverFitsQuery(wanted, SHOWN), enabled: isValid });
  const answer = isValid ? asked.data : undefined;
  const fitting = answer?.servers.filter(({ fits }) => fits === true).length ?? 0;
  return (
    <Panel title="Find room" note="the load line of each server holds afterwards">
      <Size>
        <LabelledInput label="Cores" value={cores} onChange={(event) => setCores(event.target.value)} />
        <LabelledInput label="Memory in GB" value={memory} onChange={(event) => setMemory(event.target.value)} />
        <p aria-live="polite">
          {!isValid && 'Enter a number of cores and of GB.'}
          {answer !== undefined &&
            `${fitting === SHOWN ? 'At least ' : ''}${plural(fitting, 'server')} of ${numberText(answer.total) ?? ''} ${fitting === 1 ? 'takes' : 'take'} it. Nodes of clusters are on the Capacity page.`}
        </p>
      </Size>
      <Failure asked={asked} />
      {answer !== undefined && answer.servers.length > 0 && <Rooms servers={answer.servers} />}
    </Panel>
  );
}

function Rooms({ servers }: { servers: ServerFitsAnswer['servers'] }) {
  return (
    <Scroll tabIndex={0} role="region" aria-label="Servers with room">
      <Table aria-label="Servers with room">
        <TableHead>
          <TableRow>
            <TableCell>Server</TableCell>
            <TableCell className="number">Headroom now</TableCell>
            <TableCell className="number">Headroom after</TableCell>
            <TableCell className="number">CPU after</TableCell>
            <TableCell className="number">Memory after</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {servers.map((one) => (
            <TableRow key={one.server_id}>
              <TableCell>
                {one.fits === false && <BandIcon band="over" />}{' '}
                <Link to={paths.server(one.server_id)}>{escapeInvisible(one.hostname)}</Link>
              </TableCell>
              <TableCell className="number">
                <Figure value={numberText(one.headroom)} unit="points" />
              </TableCell>
              <TableCell className="number">
                <Figure value={numberText(one.headroom_after)} unit="points" reason={one.reason} />
              </TableCell>
              <TableCell className="number">
                <Figure value={numberText(one.cpu_percent_after)} unit="%" />
              </TableCell>
              <TableCell className="number">
                <Figure value={numberText(one.memory_percent_after)} unit="%" />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Scroll>
  );
}
