/** Data that arrived with this page's token. */
export interface Arrival {
  name: string;
  /** Epoch milliseconds; null: enrolled, but nothing reported yet. */
  reportedAt: number | null;
  path: string;
  note: string | null;
}

export interface Connection {
  arrivals: readonly Arrival[];
  /** All that enrolled with the token, shown or not. */
  total: number;
}

/** Connected: something that enrolled with this token has also reported. */
export const isConnected = ({ arrivals }: Connection) => arrivals.some(({ reportedAt }) => reportedAt !== null);

/** The sentence of a finished check. */
export function outcomeText(target: 'linux' | 'macos' | 'kubernetes', connection: Connection): string {
  const connected = isConnected(connection);
  if (target !== 'kubernetes') return connected ? 'Server connected successfully!' : 'No servers connected yet';
  return connected
    ? `${connection.total} Kubernetes node(s) connected successfully!`
    : 'No Kubernetes nodes connected yet';
}
