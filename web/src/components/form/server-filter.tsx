import NativeSelect from '@mui/material/NativeSelect';
import { styled } from '@mui/material/styles';
import { TOUCH } from '../screen.ts';

const Box = styled('label')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  minHeight: 32,
  padding: '0 4px 0 12px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  color: theme.vars.palette.text.secondary,
  '&:focus-within': { borderColor: theme.vars.palette.info.main },
  [TOUCH]: { minHeight: 40 },
  '& select': { ...theme.typography.body2, fontWeight: 500, maxWidth: 220, textOverflow: 'ellipsis' },
  '& option': { backgroundColor: theme.vars.palette.background.paper },
}));

interface ServerFilterProps {
  /** '' is all of them. */
  value: string;
  servers: readonly { id: string; name: string }[];
  onChange: (id: string) => void;
}

/** "Server All servers ⌄". The browser's own list: it opens at once with 500 servers. */
export function ServerFilter({ value, servers, onChange }: ServerFilterProps) {
  const known = value === '' || servers.some(({ id }) => id === value);
  return (
    <Box>
      Server
      <NativeSelect disableUnderline value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">All servers</option>
        {!known && <option value={value}>{value.slice(0, 8)}</option>}
        {servers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </Box>
  );
}
