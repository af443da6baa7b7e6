import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import type { KeyboardEvent } from 'react';
import { StopOutlined as StopIcon } from '../../components/icons/material.tsx';
import { SendOutlined as SendIcon } from '../../components/icons/pages.tsx';

const MOST_ROWS = 4;

const Box = styled('div')(({ theme }) => ({
  padding: '8px 24px 12px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > form': { maxWidth: 820, margin: '0 auto', display: 'flex', alignItems: 'flex-end', gap: 8 },
  '& > p': {
    ...theme.typography.caption,
    margin: '8px 0 0',
    textAlign: 'center',
    color: theme.vars.palette.load.text3,
  },
}));

interface ChatInputProps {
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
  /** Ends the answer that is under way. */
  onStop: () => void;
  /** The service is unavailable. */
  disabled: boolean;
  /** An answer is under way. */
  waiting: boolean;
}

/** Enter sends, Shift+Enter begins a new line. */
export function ChatInput({ value, onChange, onSend, onStop, disabled, waiting }: ChatInputProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <Box>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
        }}
      >
        <OutlinedInput
          fullWidth
          multiline
          maxRows={MOST_ROWS}
          value={value}
          disabled={disabled}
          placeholder="Ask about your servers"
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          inputProps={{ 'aria-label': 'Question', maxLength: AI_LIMITS.questionCharacters }}
        />
        {waiting && (
          <IconButton aria-label="Stop" onClick={onStop}>
            <StopIcon />
          </IconButton>
        )}
        <IconButton type="submit" aria-label="Send" disabled={disabled || waiting || value.trim() === ''}>
          <SendIcon />
        </IconButton>
      </form>
      <p>AI can make mistakes. Check important information.</p>
    </Box>
  );
}
