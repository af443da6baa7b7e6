/** A query that runs longer is a mistake or an attack; jobs set their own limit. */
const STATEMENT_TIMEOUT = '5s';
/**
 * A process that hangs, or whose machine is gone, holds the locks of its transaction: other replicas skip its job, and
 * reports of servers whose rows it locked wait. PostgreSQL ends such a transaction.
 */
const IDLE_IN_TRANSACTION_TIMEOUT = '15s';

/**
 * Settings of each session. An acknowledged report must survive a crash: with synchronous_commit off, kills lose
 * acknowledged rows. No statement runs long enough to win back the 100 ms and more that compiling it takes, although the
 * planner expects it. Values are written as PostgreSQL shows them.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  synchronous_commit: 'on',
  jit: 'off',
  statement_timeout: STATEMENT_TIMEOUT,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
  timezone: 'UTC',
};

export const SET_SESSION = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ');
