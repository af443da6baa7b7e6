import Button from '@mui/material/Button';
import { useState } from 'react';
import { separateCluster } from '../../api/kubernetes.ts';
import { useMutation } from '../../api/query.ts';
import { useIsAdmin } from '../../api/user.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';

interface SeparateClusterProps {
  clusterId: string;
  /** The entry with this button disappears, so the page keeps the token. */
  onSeparated: (token: string) => void;
}

/** Makes the refused copy of a cluster a cluster of its own. Only an admin sees it. */
export function SeparateCluster({ clusterId, onSeparated }: SeparateClusterProps) {
  const isAdmin = useIsAdmin();
  const [asking, setAsking] = useState(false);
  const separation = useMutation({
    mutationFn: () => separateCluster(clusterId),
    onSuccess: ({ token }) => onSeparated(token),
  });
  if (!isAdmin) return null;
  return (
    <>
      <Button variant="outlined" disabled={separation.isPending} onClick={() => setAsking(true)}>
        This is another cluster
      </Button>
      {separation.error !== null && <Notice tone="error">{separation.error.message}</Notice>}
      <ConfirmDialog
        open={asking}
        title="Make the second cluster a cluster of its own?"
        confirm="This is another cluster"
        onConfirm={() => {
          setAsking(false);
          separation.mutate();
        }}
        onClose={() => setAsking(false)}
      >
        <span>
          It gets an identity of its own and a new token. Nothing of the first cluster changes. Do this only if both
          clusters run.
        </span>
      </ConfirmDialog>
    </>
  );
}

/** Shows the token of the separated cluster, and where it belongs. */
export function SeparatedNotice({ token }: { token: string }) {
  return (
    <Notice tone="ok">
      <p>
        <strong>The second cluster is a cluster of its own.</strong> Put this token into the Secret of its collectors.
        It is shown once.
      </p>
      <p>
        <code>{token}</code> <CopyButton text={token} label="Copy the token" />
      </p>
      <p>
        <code>helm upgrade RELEASE CHART --reuse-values --set-string token.value=TOKEN</code>
      </p>
    </Notice>
  );
}
