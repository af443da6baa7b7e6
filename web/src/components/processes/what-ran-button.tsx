import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import { loadScript } from '../../state/load-script.ts';
import { HistoryOutlined as HistoryIcon } from '../icons/material.tsx';

const loadDialog = () => loadScript(() => import('./what-ran-dialog.tsx'));
const WhatRanDialog = lazy(loadDialog);
/** Loads the dialog while the pointer or the keyboard is on its button; if that fails, the click loads it. */
const loadEarly = () => void loadDialog().catch(() => undefined);

/** Opens a field for the moment whose processes someone looks for. `at` is epoch seconds. */
export function WhatRanButton({ at, onChoose }: { at: number | null; onChoose: (at: number) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<HistoryIcon />}
        aria-haspopup="dialog"
        onPointerEnter={loadEarly}
        onFocus={loadEarly}
        onClick={() => setOpen(true)}
      >
        What ran at…
      </Button>
      <Suspense fallback={null}>
        {open && <WhatRanDialog at={at} onChoose={onChoose} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
