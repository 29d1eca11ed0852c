/** Exit code of a command that was typed wrongly (`EX_USAGE` of sysexits.h). */
export const EXIT_USAGE = 64;

/** What a command could not do; the message is all that is printed. */
export class CommandError extends Error {
  readonly exitCode: number;

  /** `message` is a sentence for the person at the terminal. */
  constructor(message: string, { exitCode = 1 } = {}) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** A command that does not exist, or that was called with what it does not take. */
export function usageError(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT_USAGE });
}
