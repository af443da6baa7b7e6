import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { csvText, fileName, jsonText, saveFile } from './export-file.ts';
import type { ExportTable } from './export-file.ts';

const KINDS = [
  { name: 'CSV', extension: 'csv', type: 'text/csv', text: csvText },
  { name: 'JSON', extension: 'json', type: 'application/json', text: jsonText },
] as const;

interface ExportMenuProps {
  anchor: HTMLElement;
  holds: readonly string[];
  table: () => ExportTable;
  onClose: () => void;
}

/** The formats of a file. */
export default function ExportMenu({ anchor, holds, table, onClose }: ExportMenuProps) {
  return (
    <Menu anchorEl={anchor} open onClose={onClose} transitionDuration={0}>
      {KINDS.map(({ name, extension, type, text }) => (
        <MenuItem
          key={name}
          onClick={() => {
            saveFile(fileName(holds, extension), type, text(table()));
            onClose();
          }}
        >
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
