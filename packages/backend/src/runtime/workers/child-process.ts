import { fork, type ChildProcess as NodeChildProcess } from 'node:child_process';
import { isWatchReport } from './watch-report.ts';

/** Exit codes from here on stand for signals, such as that of an abort, where the system has none. */
const SIGNAL_EXIT_CODE = 128;

export interface ChildProcessOptions {
  /** A module that sends one message for each that it receives. */
  script: URL;
  /** Milliseconds without a task after which the process is killed, to release its memory. */
  idleMs: number;
  /** Milliseconds for one task, after which the process is killed; by default, any. */
  timeoutMs?: number;
}

/** Is thrown for the task of a process that ended before it replied. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded';
  /** Whether it was killed because the task took too long, or has ended itself by SIGTERM for that. */
  readonly tookTooLong: boolean;
  /** Whether it could not be started, or its own code ended it: whatever the task was, it is not to blame. */
  readonly failed: boolean;

  constructor(
    message: string,
    {
      tookTooLong = false,
      failed = false,
      ...options
    }: ErrorOptions & { tookTooLong?: boolean; failed?: boolean },
  ) {
    super(message, options);
    this.tookTooLong = tookTooLong;
    this.failed = failed;
  }
}

/**
 * Runs a process for work that may have to be killed, or may crash: what it held is released with it, and nothing
 * else ends. It is started by the first task, and again by the first one after its end. It keeps no other process
 * alive while nothing waits for it.
 */
export class ChildProcess<Task extends object, Reply> {
  readonly #options: ChildProcessOptions;
  #child: NodeChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ChildProcessOptions) {
    this.#options = options;
  }

  /** Sends a task and returns the reply, within `timeoutMs` of its own if it names one. The caller sends one task at a time. Throws ProcessEnded. */
  async call(task: Task, { timeoutMs = this.#options.timeoutMs } = {}): Promise<Reply> {
    clearTimeout(this.#idle);
    // It may have been killed since its last task.
    if (!this.#child || hasEnded(this.#child)) this.#child = start(this.#options.script);
    const child = this.#child;
    try {
      return await this.#exchange(child, task, timeoutMs);
    } finally {
      if (this.#child === child && hasEnded(child)) this.#child = undefined;
      this.#idle = setTimeout(() => this.kill(), this.#options.idleMs).unref();
    }
  }

  /** Kills the process at once. A task under way throws ProcessEnded. */
  kill(): void {
    clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #exchange(child: NodeChildProcess, task: Task, timeoutMs: number | undefined): Promise<Reply> {
    const { script } = this.#options;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onEnd);
        child.off('error', onError);
        child.unref();
        child.channel?.unref();
        act();
      };
      const onMessage = (reply: object) => {
        if (!isWatchReport(reply)) settle(() => resolve(reply as Reply));
      };
      let tookTooLong = false;
      const fail = (how: string, options: ConstructorParameters<typeof ProcessEnded>[1]) => {
        const name = script.pathname.split('/').at(-1);
        settle(() => reject(new ProcessEnded(`The process of ${name} ${how}.`, options)));
      };
      const onError = (cause: unknown) => fail('cannot be reached', { cause, failed: true });
      const onEnd = (exitCode: number | null, signal: NodeJS.Signals | null) => {
        tookTooLong ||= signal === 'SIGTERM';
        const failed = exitCode !== null && exitCode < SIGNAL_EXIT_CODE;
        fail(`came to its end (${signal ?? exitCode})`, { tookTooLong, failed });
      };
      const kill = () => {
        tookTooLong = true;
        child.kill('SIGKILL');
      };
      const timer = timeoutMs && setTimeout(kill, timeoutMs).unref();
      // Both: a process that ends by itself closes its channel before that is known.
      child.ref();
      child.channel?.ref();
      child.on('message', onMessage);
      child.on('exit', onEnd);
      child.on('error', onError);
      // Where it has ended meanwhile, its end says why.
      child.send(task, (error) => error && !hasEnded(child) && onError(error));
    });
  }
}

function start(script: URL): NodeChildProcess {
  const child = fork(script, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // In a group of its own: a signal to all of the server's would end work that the server is still finishing.
    detached: true,
    // The flags of this process are about its own memory and script.
    execArgv: [],
  });
  // The next task throws it.
  child.on('error', () => undefined);
  child.unref();
  child.channel?.unref();
  return child;
}

function hasEnded({ connected, exitCode, signalCode }: NodeChildProcess): boolean {
  return !connected || exitCode !== null || signalCode !== null;
}
