import { styled } from '@mui/material/styles';
import type { Container } from '@plimsoll/contract/wire/containers';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { Rows } from '../../components/panel.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { ContainerHeadroom, CpuCores, MemoryUse, StateChip } from './container-parts.tsx';
import { nameOf, restartsOf } from './container-words.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gap: 6,
  padding: '10px 12px',
  '& > div': { display: 'flex', alignItems: 'center', gap: '4px 8px', minWidth: 0 },
  '& .name': { fontWeight: 600, minWidth: 0, marginRight: 'auto' },
  '& .figures': { flexWrap: 'wrap', justifyContent: 'space-between' },
  '& .host': { ...theme.typography.caption, minWidth: 0, marginRight: 'auto', minHeight: 40, alignContent: 'center' },
  '& .quiet': { ...theme.typography.caption, color: theme.vars.palette.load.text3, whiteSpace: 'nowrap' },
}));

/** The table of a small screen: three lines a container. */
export function ContainersList({ containers }: { containers: readonly Container[] }) {
  return (
    <Rows aria-label="Containers">
      {containers.map((container) => (
        <Row key={`${container.server_id}/${container.id}`}>
          <div>
            <span className="name">
              <MiddleTruncate text={escapeInvisible(nameOf(container))} />
            </span>
            <StateChip container={container} />
          </div>
          <div>
            <Link className="host" to={paths.server(container.server_id)}>
              <MiddleTruncate text={escapeInvisible(container.hostname)} />
            </Link>
            <ContainerHeadroom container={container} />
          </div>
          <div className="figures">
            <MemoryUse container={container} unit="MB" />
            <span className="quiet">
              <CpuCores container={container} /> cores
            </span>
            <span className="quiet">{plural(restartsOf(container).count, 'restart')}</span>
          </div>
        </Row>
      ))}
    </Rows>
  );
}
