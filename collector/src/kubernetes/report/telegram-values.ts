import type { ClusterTelegram } from '@plimsoll/contract/wire/cluster-channel';
import { PROTOCOL_VERSION } from '@plimsoll/contract/rules/limits';
import type { Log } from '../../runtime/log.ts';
import type { Timing } from '../watch/timing.ts';
import type { ClusterReply } from './cluster-reporter.ts';

const PATH = '/api/agent/v1/cluster/telegram';
/** The kubelet updates mounted values within about a minute. */
const READ_EVERY_MS = 60_000;
/** The first report binds the token to the cluster; before it the dashboard takes no values. */
const FIRST_MS = 15_000;

export interface TelegramFiles {
  botTokenFile: string;
  chatIdFile: string;
}
export interface TelegramValuesOptions {
  post: (path: string, body: ClusterTelegram) => Promise<ClusterReply>;
  /** Null: the release has no Telegram values. */
  files: TelegramFiles | null;
  readFile: (path: string) => string;
  timing: Timing;
  log: Log;
}

/** Sends the Telegram values of the release when this replica begins to lead, and when they change. */
export class TelegramValues {
  readonly #options: TelegramValuesOptions;
  #sent: string | null = null;
  #problem: string | null = null;

  constructor(options: TelegramValuesOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { timing } = this.#options;
    await timing.wait(FIRST_MS, signal);
    while (!signal.aborted) {
      await this.#send();
      await timing.wait(READ_EVERY_MS, signal);
    }
  }

  /** A message that does not arrive is sent again a minute later. */
  async #send(): Promise<void> {
    const { post, log } = this.#options;
    try {
      const body: ClusterTelegram = { v: PROTOCOL_VERSION, telegram: this.#read() };
      const text = JSON.stringify(body);
      if (text === this.#sent) return;
      const reply = await post(PATH, body);
      if (reply.kind === 'failed') throw new Error(reply.code);
      if (reply.status >= 300) throw new Error(`HTTP ${String(reply.status)}`);
      this.#sent = text;
      this.#problem = null;
      log('info', 'Telegram values sent', { has_values: String(body.telegram !== null) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#problem) log('warn', 'Telegram values not sent', { reason });
      this.#problem = reason;
    }
  }

  #read(): ClusterTelegram['telegram'] {
    const { files, readFile } = this.#options;
    if (files === null) return null;
    return { bot_token: readFile(files.botTokenFile).trim(), chat_id: readFile(files.chatIdFile).trim() };
  }
}
