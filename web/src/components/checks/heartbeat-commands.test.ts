import { expect, it } from 'vitest';
import { heartbeatCommands } from './heartbeat-commands.ts';

it('calls the address of the key, and sends no more output than the API reads', () => {
  expect(heartbeatCommands('https://plimsoll.example.com/', 'KEY')).toEqual({
    short: 'backup.sh && curl -fsS -X POST https://plimsoll.example.com/api/heartbeats/KEY',
    whole:
      'curl -fsS -X POST https://plimsoll.example.com/api/heartbeats/KEY/start\n' +
      'backup.sh >log 2>&1; tail -c 10000 log | curl -fsS -X POST --data-binary @- https://plimsoll.example.com/api/heartbeats/KEY/$?',
  });
});
