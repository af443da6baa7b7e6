import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import { styled, useColorScheme } from '@mui/material/styles';
import { useQuery, useQueryClient } from '../../api/query.ts';
import { profileQuery } from '../../api/user.ts';
import { Chip } from '../../components/chips.tsx';
import { Mark } from '../../components/logo.tsx';
import { useStored } from '../../state/use-stored.ts';
import { liveness } from '../../state/liveness.ts';
import { ScopeButton } from './scope-button.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import {
  DarkModeOutlined as DarkModeIcon,
  HelpOutlined as HelpIcon,
  LightModeOutlined as LightModeIcon,
  Menu as MenuIcon,
  Pause as PauseIcon,
  PlayArrow as PlayArrowIcon,
  Refresh as RefreshIcon,
  Search as SearchIcon,
  SettingsBrightnessOutlined as SettingsBrightnessIcon,
} from '../../components/icons/material.tsx';

const Bar = styled('header')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  zIndex: theme.zIndex.appBar,
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 56,
  padding: '0 24px',
  backgroundColor: theme.vars.palette.background.default,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down('sm')]: {
    padding: '0 12px',
    // The chip "Demo data" takes the room of the name.
    '&[data-demo] .name': { display: 'none' },
    // The words "Last report 43 min ago" take more: the mark, too, and a word of the chip.
    '&:has([data-state="silent"]) :is(.name, .word)': { display: 'none' },
    '&[data-demo]:has([data-state="silent"]) .mark': { display: 'none' },
  },
  '@media print': { display: 'none' },
}));
const Small = styled('div')(({ theme }) => ({
  display: 'none',
  alignItems: 'center',
  gap: 8,
  fontWeight: 600,
  // As text it would stand on the baseline, above the middle of the name.
  '& .mark': { display: 'flex' },
  [theme.breakpoints.down('md')]: { display: 'flex' },
}));
const Right = styled('div')({ marginLeft: 'auto', display: 'flex', alignItems: 'center', gap: 8 });
/** A small screen has these in the palette. */
const Wide = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: 4,
  [theme.breakpoints.down('sm')]: { display: 'none' },
}));
const Narrow = styled('div')(({ theme }) => ({ [theme.breakpoints.up('md')]: { display: 'none' } }));
const SearchButton = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  justifyContent: 'flex-start',
  gap: 8,
  width: 320,
  minHeight: 32,
  padding: '0 8px 0 10px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  color: theme.vars.palette.load.text3,
  backgroundColor: theme.vars.palette.background.paper,
  '& svg': { fontSize: 16 },
  '& kbd': {
    marginLeft: 'auto',
    padding: '0 6px',
    border: `1px solid ${theme.vars.palette.load.edge}`,
    borderRadius: 4,
    fontFamily: 'inherit',
    fontSize: 11,
    lineHeight: '16px',
  },
  [theme.breakpoints.down('md')]: { display: 'none' },
}));
const NEXT_MODE = { dark: 'light', light: 'system', system: 'dark' } as const;
const MODE_ICON = { dark: DarkModeIcon, light: LightModeIcon, system: SettingsBrightnessIcon } as const;

function ThemeButton() {
  const { mode = 'dark', setMode } = useColorScheme();
  const Icon = MODE_ICON[mode];
  const next = NEXT_MODE[mode];
  return (
    <IconButton onClick={() => setMode(next)} aria-label={`Theme: ${mode}. Switch to ${next}`} title={`Theme: ${mode}`}>
      <Icon />
    </IconButton>
  );
}

function LiveButtons() {
  const [live, setLive] = useStored(liveness);
  const queries = useQueryClient();
  const toggle = () => {
    setLive(!live);
    if (!live) void queries.invalidateQueries();
  };
  return (
    <>
      <IconButton onClick={toggle} aria-label={live ? 'Pause updates' : 'Resume updates'} aria-pressed={!live}>
        {live ? <PauseIcon /> : <PlayArrowIcon />}
      </IconButton>
      <IconButton onClick={() => void queries.invalidateQueries()} aria-label="Refresh now">
        <RefreshIcon />
      </IconButton>
    </>
  );
}

interface TopBarProps {
  onMenu: () => void;
  onSearch: () => void;
  onHelp: () => void;
}

export function TopBar({ onMenu, onSearch, onHelp }: TopBarProps) {
  // Only reads: the bar stands beside the error of a profile that failed, and must not fetch it each time it appears.
  const isDemo = useQuery({ ...profileQuery(), enabled: false }).data?.demo === true;
  return (
    <Bar data-demo={isDemo ? '' : undefined}>
      <Small>
        <IconButton onClick={onMenu} aria-label="Open menu">
          <MenuIcon />
        </IconButton>
        <span className="mark">
          <Mark size={24} />
        </span>
        <span className="name">Plimsoll</span>
      </Small>
      <SearchButton onClick={onSearch}>
        <SearchIcon aria-hidden />
        Search servers, pods, pages
        <kbd>Ctrl K</kbd>
      </SearchButton>
      <ScopeButton />
      <Right>
        {isDemo && (
          <Chip>
            <span>
              Demo<span className="word"> data</span>
            </span>
          </Chip>
        )}
        <ConnectionStatus />
        <Wide>
          <LiveButtons />
          <ThemeButton />
          <IconButton onClick={onHelp} aria-label="Keyboard shortcuts">
            <HelpIcon />
          </IconButton>
        </Wide>
        <Narrow>
          <IconButton onClick={onSearch} aria-label="Search">
            <SearchIcon />
          </IconButton>
        </Narrow>
      </Right>
    </Bar>
  );
}
