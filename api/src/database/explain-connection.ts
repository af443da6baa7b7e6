/** Remedies for a database that cannot be reached, by the code of Node or of PostgreSQL. */
const REMEDIES: Partial<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there. Start PostgreSQL, or correct DATABASE_URL.',
  ENOENT: 'There is no such socket. Start PostgreSQL, or correct DATABASE_URL.',
  ENOTFOUND: 'There is no host of this name. Correct DATABASE_URL.',
  EAI_AGAIN: 'The name cannot be resolved now. Check the DNS of this machine, or correct DATABASE_URL.',
  ETIMEDOUT: 'Nobody answers. Check the address in DATABASE_URL and the firewalls on the way.',
  EHOSTUNREACH: 'There is no way to that host. Check the address in DATABASE_URL and the network.',
  ENETUNREACH: 'There is no way to that host. Check the address in DATABASE_URL and the network.',
  '28P01': 'The password is wrong. Correct DATABASE_URL.',
  '28000': 'PostgreSQL does not accept this user from here. Correct DATABASE_URL or pg_hba.conf.',
  '3D000': 'There is no such database. Create it, or correct DATABASE_URL.',
};

/** Returns the place of a connection without user and password. */
function placeOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  if (url === null) return 'DATABASE_URL';
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`;
}

/** Returns an error that names the place and the remedy; any other error as it is. Never holds the password. */
export function explainConnection(error: unknown, databaseUrl: string): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const isLate = message === 'timeout expired' || message === 'Connection terminated due to connection timeout';
  const remedy = REMEDIES[isLate ? 'ETIMEDOUT' : String(code)];
  if (remedy === undefined) return error;
  return new Error(`the database ${placeOf(databaseUrl)} cannot be used (${String(message)}). ${remedy}`, {
    cause: error,
  });
}
