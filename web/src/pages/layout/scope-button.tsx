import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { formatScope } from '@plimsoll/contract/rules/scope';
import { lazy, Suspense, useState } from 'react';
import { useScope } from '../../state/use-scope.ts';
import { loadScript } from '../../state/load-script.ts';
import { FilterListOutlined as FilterListIcon } from '../../components/icons/material.tsx';

/** Loaded when first opened. */
const ScopePicker = lazy(() => loadScript(() => import('./scope-picker.tsx')));

const Box = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  justifyContent: 'flex-start',
  gap: 6,
  minHeight: 32,
  minWidth: 32,
  maxWidth: 260,
  padding: '0 10px 0 8px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  color: theme.vars.palette.text.secondary,
  backgroundColor: theme.vars.palette.background.paper,
  '& svg': { fontSize: 16, flex: 'none' },
  '& span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '&[data-active]': { borderColor: theme.vars.palette.info.main, color: theme.vars.palette.text.primary },
  [theme.breakpoints.down('sm')]: {
    minHeight: 40,
    minWidth: 40,
    padding: 0,
    justifyContent: 'center',
    '& span': { display: 'none' },
    '& svg': { fontSize: 20 },
  },
}));

/** Opens the scope from the top bar and shows it. */
export function ScopeButton() {
  const { scope } = useScope();
  const [open, setOpen] = useState(false);
  const text = scope.length === 0 ? 'All servers' : formatScope(scope);
  return (
    <>
      <Box
        onClick={() => setOpen(true)}
        aria-label={`Scope: ${text}`}
        aria-haspopup="dialog"
        data-active={scope.length === 0 ? undefined : ''}
      >
        <FilterListIcon aria-hidden />
        <span>{text}</span>
      </Box>
      <Suspense fallback={null}>{open && <ScopePicker onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
