import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import { useState } from 'react';
import type { ComponentProps } from 'react';
import { LabelledInput } from './labelled-input.tsx';
import {
  VisibilityOffOutlined as VisibilityOffIcon,
  VisibilityOutlined as VisibilityIcon,
} from '../icons/first-load.tsx';

/** Input for a secret: hidden until a button shows it. */
export function PasswordInput(props: ComponentProps<typeof LabelledInput>) {
  const [shown, setShown] = useState(false);
  const name = props.label.toLowerCase();
  return (
    <LabelledInput
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      endAdornment={
        <InputAdornment position="end">
          <IconButton
            edge="end"
            onClick={() => setShown(!shown)}
            aria-label={shown ? `Hide ${name}` : `Show ${name}`}
            aria-pressed={shown}
          >
            {shown ? <VisibilityOffIcon /> : <VisibilityIcon />}
          </IconButton>
        </InputAdornment>
      }
      {...props}
    />
  );
}
