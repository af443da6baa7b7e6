import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { csvText, fileName, jsonText, saveFile } from './export-file.ts';
import type { MakeTable } from './export-file.ts';

const KINDS = [
  { name: 'CSV', extension: 'csv', type: 'text/csv', text: csvText },
  { name: 'JSON', extension: 'json', type: 'application/json', text: jsonText },
] as const;

const Problem = styled('li')(({ theme }) => ({
  maxWidth: 280,
  padding: '6px 16px',
  color: theme.vars.palette.load.overText,
}));

interface ExportMenuProps {
  anchor: HTMLElement;
  holds: readonly string[];
  table: MakeTable;
  onClose: () => void;
}

/** The formats of a file. */
export default function ExportMenu({ anchor, holds, table, onClose }: ExportMenuProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async ({ extension, type, text }: (typeof KINDS)[number]) => {
    setBusy(true);
    setProblem(null);
    try {
      saveFile(fileName(holds, extension), type, text(await table()));
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Try again.');
      setBusy(false);
    }
  };
  return (
    <Menu anchorEl={anchor} open onClose={onClose} transitionDuration={0}>
      {KINDS.map((kind) => (
        <MenuItem key={kind.name} disabled={busy} onClick={() => void save(kind)}>
          {kind.name}
        </MenuItem>
      ))}
      {problem !== null && <Problem role="alert">Could not load the rows. {problem}</Problem>}
    </Menu>
  );
}
