import { useState } from 'react';
import { processHistoryQuery } from './processes.ts';
import { useQuery } from './query.ts';

/** Hours that a history shows first. */
const FIRST_HOURS = 6;

/** The history of one command on a server, and the hours that are shown of it. */
export function useProcessHistory(serverId: string, command: string) {
  const [hours, setHours] = useState(FIRST_HOURS);
  const asked = useQuery(processHistoryQuery(serverId, command, hours));
  return { asked, hours, onHours: setHours };
}
