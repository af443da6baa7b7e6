/** Figures that are rolled up: prefix of the rollup's columns, and the figure in a sample. */
export const ROLLED_UP = {
  cpu: 'cpu_percent',
  io_wait: 'io_wait_percent',
  memory: 'memory_percent',
  disk: 'disk_percent',
  operations: 'read_operations_per_second + write_operations_per_second',
  receive: 'receive_bytes_per_second',
  transmit: 'transmit_bytes_per_second',
} as const;
export type RolledUp = keyof typeof ROLLED_UP;
export const ROLLED_UP_NAMES = Object.keys(ROLLED_UP) as RolledUp[];

/** Connection counts: only their means are kept. */
export const CONNECTION_STATES = [
  'total',
  'established',
  'listen',
  'time_wait',
  'close_wait',
  'syn_sent',
  'syn_recv',
] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];
