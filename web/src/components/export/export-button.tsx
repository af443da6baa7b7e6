import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { lazy, Suspense, useState } from 'react';
import type { MakeTable } from './export-file.ts';
import { loadScript } from '../../state/load-script.ts';
import { DownloadOutlined as DownloadIcon } from '../icons/pages.tsx';

/** Loaded at first use. */
const ExportMenu = lazy(() => loadScript(() => import('./export-menu.tsx')));

interface ExportButtonProps {
  /** Content of the file, for its name and for a screen reader: ["build-hel-02", "CPU"]. */
  holds: readonly string[];
  /** Ends the name of the file: its stretch of time. */
  suffix?: string;
  table: MakeTable;
  disabled?: boolean;
  /** The button says "Export"; else only its icon shows. */
  labelled?: boolean;
}

/** Saves what a table or a chart holds as CSV or JSON. */
export function ExportButton({ holds, suffix, table, disabled = false, labelled = false }: ExportButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const name = `Export ${holds.filter((part) => part !== '').join(' ')}`;
  const shared = {
    disabled,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': anchor !== null,
    onClick: (event: { currentTarget: HTMLElement }) => setAnchor(event.currentTarget),
  };
  return (
    <>
      {labelled ? (
        <Button variant="text" startIcon={<DownloadIcon />} title={name} {...shared}>
          Export
        </Button>
      ) : (
        <IconButton aria-label={name} title={name} {...shared}>
          <DownloadIcon />
        </IconButton>
      )}
      {anchor !== null && (
        <Suspense>
          <ExportMenu
            anchor={anchor}
            holds={suffix === undefined ? holds : [...holds, suffix]}
            table={table}
            onClose={() => setAnchor(null)}
          />
        </Suspense>
      )}
    </>
  );
}
