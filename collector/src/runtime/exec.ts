/**
 * Runs a program and gives what it printed. Throws an error that names the program and why it gave nothing. `isAnswer`: exit
 * codes beside 0 that come with an answer, because some programs report a finding by their code.
 */
export type Exec = (file: string, argv: readonly string[], isAnswer?: (code: number) => boolean) => Promise<string>;

const ANSWER_MS = 5000;
const OUTPUT_BYTES = 8 * 1_048_576;
const ENDS_IT = 'SIGKILL';

/** End of one run: by itself with a code, or by a signal. */
interface Ended {
  code: number | null;
  /** Its name. SIGKILL is ours, as a rule. */
  signal: string | null;
  stdout: string;
  stderr: string;
}
interface Limits {
  env: Record<string, string>;
  cwd: string;
  /** Milliseconds. */
  timeout: number;
  /** Bytes of output. */
  maxBuffer: number;
}
type Run = (file: string, argv: readonly string[], limits: Limits) => Promise<Ended>;

/** The part of Bun's global object that is used here. */
interface Bun {
  spawn(
    argv: readonly string[],
    options: Limits & { stdin: 'ignore'; stdout: 'pipe'; stderr: 'pipe'; killSignal: typeof ENDS_IT },
  ): {
    stdout: ReadableStream<Uint8Array>;
    stderr: ReadableStream<Uint8Array>;
    exited: Promise<number>;
    signalCode: string | null;
  };
}
const runtime = (globalThis as { Bun?: Bun }).Bun;

/**
 * No shell, an empty environment but for a plain locale, and an end to waiting. `path` is searched for the program.
 * The shipped program runs children by its runtime's own call: the first child of node:child_process costs it 2.7 MB of
 * private memory, that of the streams it loads, and each costs three times the CPU.
 */
export function systemExec(
  path = '/usr/sbin:/usr/bin:/sbin:/bin',
  answerMs = ANSWER_MS,
  outputBytes = OUTPUT_BYTES,
): Exec {
  const limits = { env: { PATH: path, LC_ALL: 'C', LANG: 'C' }, cwd: '/', timeout: answerMs, maxBuffer: outputBytes };
  const run = runtime ? runByBun(runtime) : runByNode;
  return async (file, argv, isAnswer) => {
    const { code, signal, stdout, stderr } = await run(file, argv, limits).catch((error: unknown) => {
      throw new Error(`${file}: ${reasonOf(error)}`);
    });
    if (code === 0 || (code !== null && isAnswer?.(code) === true)) return stdout;
    if (signal !== null && signal !== ENDS_IT) throw new Error(`${file}: ended by ${signal}`);
    if (code === null) throw new Error(`${file}: no answer within ${answerMs} ms, or one above ${outputBytes} bytes`);
    const [first = ''] = stderr.trim().split('\n');
    throw new Error(`${file}: ${first === '' ? `failed (${code})` : first.slice(0, 200)}`);
  };
}

const runByBun =
  (bun: Bun): Run =>
  async (file, argv, limits) => {
    const how = { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', killSignal: ENDS_IT } as const;
    const child = bun.spawn([file, ...argv], { ...limits, ...how });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    const signal = child.signalCode;
    return { code: signal === null ? code : null, signal, stdout, stderr };
  };

const runByNode: Run = async (file, argv, limits) => {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = execFile(file, [...argv], { ...limits, killSignal: ENDS_IT }, (error, stdout, stderr) => {
      const said = { stdout, stderr };
      if (!error) resolve({ code: 0, signal: null, ...said });
      else if (typeof error.code === 'number') resolve({ code: error.code, signal: null, ...said });
      else if (error.killed === true || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        resolve({ code: null, signal: ENDS_IT, ...said });
      else if (error.signal) resolve({ code: null, signal: error.signal, ...said });
      else reject(error);
    });
    child.stdin?.end();
  });
};

const reasonOf = (error: unknown): string =>
  (error as { code?: unknown }).code === 'ENOENT' ? 'is not installed' : String(error);
