import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import { ALERT_KEYS } from '../../format/alert-keys.ts';
import { GO_TO } from './shortcuts.ts';

const Keys = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr auto',
  gap: '6px 24px',
  margin: 0,
  '& dt': { color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, display: 'flex', gap: 4, justifyContent: 'flex-end' },
  '& kbd': {
    minWidth: 20,
    padding: '0 6px',
    textAlign: 'center',
    border: `1px solid ${theme.vars.palette.load.edge}`,
    borderRadius: 4,
    lineHeight: '18px',
  },
}));

const KEYS = [
  { name: 'Search everything', keys: ['Ctrl', 'K'] },
  { name: 'Filter this page', keys: ['/'] },
  { name: 'Previous, next server', keys: ['[', ']'] },
  { name: 'Along a chart', keys: ['←', '→'] },
  { name: 'Processes at that time', keys: ['Enter'] },
  ...ALERT_KEYS,
  { name: 'This list', keys: ['?'] },
  { name: 'Close', keys: ['Esc'] },
  ...GO_TO.map(({ name, key }) => ({ name: `Go to ${name}`, keys: ['g', key] })),
];

/** The keys that work everywhere. */
export default function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} aria-labelledby="help-title" transitionDuration={0}>
      <DialogTitle id="help-title" variant="h2" component="h2">
        Keyboard shortcuts
      </DialogTitle>
      <DialogContent>
        <Keys>
          {KEYS.map(({ name, keys }) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dd>
            </div>
          ))}
        </Keys>
      </DialogContent>
    </Dialog>
  );
}
