import { styled } from '@mui/material/styles';
import type { ChatMessage } from '../../api/ai.ts';

const Box = styled('article')(({ theme }) => ({
  minWidth: 0,
  '& > h3': { ...theme.typography.caption, margin: '0 0 4px', color: theme.vars.palette.load.text3 },
  '& > div': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '&[data-role="user"] > div': {
    padding: '8px 12px',
    borderRadius: 8,
    backgroundColor: theme.vars.palette.action.selected,
  },
}));

const NAME = { user: 'You', assistant: 'AI Assistant' } as const;

export function Message({ message }: { message: ChatMessage }) {
  return (
    <Box data-role={message.role}>
      <h3>{NAME[message.role]}</h3>
      <div>{message.content}</div>
    </Box>
  );
}
