/**
 * Kinds of trouble. A symptom has one, a candidate lists those that it brings about. `missing`: pods are missing, pending, or
 * cannot be created; `start`: a container cannot start; `failing`: it runs and is not ready, or those that call it fail.
 */
export type Aspect =
  | 'missing'
  | 'start'
  | 'crash'
  | 'memory_kill'
  | 'failing'
  | 'cpu'
  | 'load'
  | 'memory'
  | 'swap'
  | 'io'
  | 'disk'
  | 'traffic'
  | 'connections'
  | 'silent'
  | 'unit'
  | 'node'
  | 'clock'
  | 'other';

/** All that may be wrong with pods. */
export const POD_TROUBLE: readonly Aspect[] = ['missing', 'start', 'crash', 'memory_kill', 'failing'];
