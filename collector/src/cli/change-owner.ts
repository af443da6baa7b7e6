import type { ChangeOwnerAnswer, ChangeOwnerRequest } from '@plimsoll/contract/wire/install';
import { apiOf, hostParts, stateDisk } from '../host-agent.ts';
import { readCredentials } from '../send/credentials.ts';
import { codeOf } from '../send/verdict.ts';
import { SettingError } from '../settings.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';
import { readLine } from './read-line.ts';

export const changeOwnerCommand: Command = {
  summary: 'Give this server to another account of the dashboard',
  help: `plimsoll change-owner [--token-file FILE]

Run as root on this host with the permanent token of the new owner (Profile page of that account), read from FILE or
from standard input: a token in the arguments could be seen by every user. The server keeps its history.
Exit status: 0 done, 1 the server cannot be reached, 64 wrong use, 78 the token or this host was refused.`,
  options: { 'token-file': true },
  run: async ({ options, terminal, settings }) => {
    const { settings: loaded } = settings();
    const credentials = readCredentials(stateDisk(loaded));
    if (!credentials) throw new SettingError('this host is not enrolled: plimsoll enrol --token TOKEN');
    const file = options['token-file'];
    const token = readLine(typeof file === 'string' ? file : null);
    if (token === '') throw new SettingError('no token given: paste the permanent token of the new owner');
    const parts = hostParts(loaded, terminal.err, terminal.interactive);
    const request: ChangeOwnerRequest = { api_token: token };
    const api = await apiOf(loaded, parts);
    const reply = await api.post('/api/agent/v1/change-owner', request, credentials.agent_token);
    if (reply.kind === 'failed') {
      terminal.err(`Not changed: the server cannot be reached (${reply.code})\n`);
      return EXIT.failed;
    }
    const answer = reply.body as (Partial<ChangeOwnerAnswer> & { detail?: unknown }) | null;
    if (reply.status >= 300) {
      terminal.err(`Not changed: ${typeof answer?.detail === 'string' ? answer.detail : codeOf(reply)}\n`);
      return reply.status >= 500 || reply.status === 429 ? EXIT.failed : EXIT.enrolmentDead;
    }
    terminal.out(`This server now belongs to ${answer?.owner ?? 'the new owner'}\n`);
    return EXIT.ok;
  },
};
