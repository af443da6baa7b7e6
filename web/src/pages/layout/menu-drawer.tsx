import Drawer from '@mui/material/Drawer';
import { Sidebar } from './sidebar.tsx';

interface MenuDrawerProps {
  open: boolean;
  unread: number;
  onClose: () => void;
}

/** The sidebar of a small screen, over the page. */
export default function MenuDrawer({ open, unread, onClose }: MenuDrawerProps) {
  return (
    <Drawer open={open} onClose={onClose} slotProps={{ paper: { sx: { width: 260 } } }}>
      <Sidebar expanded unread={unread} onNavigate={onClose} />
    </Drawer>
  );
}
