import { styled } from '@mui/material/styles';
import { Link } from '../router.ts';

const Bar = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0 20px',
  minWidth: 0,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}));
const Tab = styled(Link)(({ theme }) => ({
  ...theme.typography.button,
  display: 'inline-flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 40,
  marginBottom: -1,
  borderBottom: '2px solid transparent',
  color: theme.vars.palette.text.secondary,
  '&:hover': { color: theme.vars.palette.text.primary, textDecoration: 'none' },
  '&[aria-current]': {
    fontWeight: 600,
    color: theme.vars.palette.text.primary,
    borderBottomColor: theme.vars.palette.info.main,
  },
  '& > span': { fontWeight: 400, fontVariantNumeric: 'tabular-nums' },
}));

interface TabBarProps {
  label: string;
  tabs: readonly { to: string; label: string; count?: number | undefined; current: boolean }[];
  /** True: going from tab to tab leaves no trace in the history. */
  replace?: boolean;
}

/** Views of one subject, each with an address of its own. */
export function TabBar({ label, tabs, replace = false }: TabBarProps) {
  return (
    <Bar aria-label={label}>
      {tabs.map((tab) => (
        <Tab key={tab.to} to={tab.to} replace={replace} aria-current={tab.current ? 'page' : undefined}>
          {tab.label}
          {tab.count !== undefined && <span>{tab.count}</span>}
        </Tab>
      ))}
    </Bar>
  );
}
