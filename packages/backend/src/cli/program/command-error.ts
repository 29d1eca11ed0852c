/** The exit code for a usage error (`EX_USAGE` of sysexits.h). */
export const EXIT_USAGE = 64;

/** Tells of a failure of a command. Only its message is printed. */
export class CommandError extends Error {
  readonly exitCode: number;

  /** `message` is a sentence for the person at the terminal. */
  constructor(message: string, { exitCode = 1 } = {}) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Returns the error for a value that the command does not take. */
export function usageError(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT_USAGE });
}
