import Button from '@mui/material/Button';
import type { ExplainSubject } from '@plimsoll/contract/wire/ai';
import { paths } from '../paths.ts';
import { useNavigate } from '../router.ts';
import { AutoAwesomeOutlined as AutoAwesomeIcon } from './icons/pages.tsx';

export interface Explanation {
  question: string;
  subject: ExplainSubject;
}

const isExplanation = (value: unknown): value is Explanation =>
  typeof value === 'object' && value !== null && 'question' in value && 'subject' in value;

/** Returns what an Explain button left in the state of the address, else null. */
export function explanationOf(state: unknown): Explanation | null {
  const value = typeof state === 'object' && state !== null && 'explain' in state ? state.explain : null;
  return isExplanation(value) ? value : null;
}

/** Asks the assistant a prepared question about what the button stands on. */
export function ExplainButton({ question, subject, label = 'Explain' }: Explanation & { label?: string }) {
  const navigate = useNavigate();
  return (
    <Button
      variant="outlined"
      startIcon={<AutoAwesomeIcon />}
      onClick={() => void navigate(paths.aiChat, { state: { explain: { question, subject } } })}
    >
      {label}
    </Button>
  );
}
