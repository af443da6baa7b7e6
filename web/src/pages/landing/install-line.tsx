import { styled } from '@mui/material/styles';
import { useCopied } from '../../components/form/use-copied.ts';
import { publicInstallCommand } from '../../format/install-command.ts';
import { TOUCH } from '../../components/screen.ts';
import { ContentCopyOutlined as ContentCopyIcon } from '../../components/icons/first-load.tsx';

const Box = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  marginTop: 16,
  padding: '12px 8px 12px 16px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  backgroundColor: theme.vars.palette.background.paper,
  '& code': {
    flex: 1,
    minWidth: 0,
    fontVariantLigatures: 'none',
    fontSize: 13,
    lineHeight: '20px',
    overflowWrap: 'anywhere',
    color: theme.vars.palette.text.primary,
  },
  '& code > i': { fontStyle: 'normal', userSelect: 'none', color: theme.vars.palette.load.text3 },
}));
const Copy = styled('button')(({ theme }) => ({
  ...theme.typography.button,
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  minWidth: 84,
  minHeight: 32,
  padding: '0 10px',
  cursor: 'pointer',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  color: theme.vars.palette.text.primary,
  backgroundColor: 'transparent',
  '& > svg': { fontSize: 16 },
  '&:hover': { backgroundColor: theme.vars.palette.action.selected },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: 2 },
  [TOUCH]: { minHeight: 40 },
}));

const SAYS = { idle: 'Copy', copied: 'Copied', failed: 'Select it' } as const;

/** The one-line install command of this installation. */
export function InstallLine() {
  const { state, copy } = useCopied();
  const command = publicInstallCommand(window.location.origin);
  return (
    <Box>
      <code>
        <i aria-hidden>$ </i>
        {command}
      </code>
      <Copy type="button" onClick={() => copy(command)} aria-label={`${SAYS[state]} install command`}>
        <ContentCopyIcon aria-hidden />
        <span aria-live="polite">{SAYS[state]}</span>
      </Copy>
    </Box>
  );
}
