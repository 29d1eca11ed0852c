import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from './command-error.ts';

/** The terminal of a command. */
export interface Terminal {
  /** Writes the command's result to standard output. */
  print(text: string): void;
  /** Writes remarks to standard error, where they do not mix with the result. */
  note(text: string): void;
  /** Whether a person can answer a question. */
  interactive: boolean;
  /**
   * Returns what the person types, or an empty string when the input ends. With `hidden`, the typing is not
   * shown.
   */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** Returns all of standard input. */
  readInput(): Promise<string>;
}

export interface TerminalStreams {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Opens the terminal that a process was started from. */
export function openTerminal({ stdin, stdout, stderr }: TerminalStreams): Terminal {
  // A reader may stop early (`fabrica user list | head`).
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    interactive: Boolean(stdin.isTTY && stderr.isTTY),
    ask: (question, { hidden = false } = {}) =>
      new Promise((resolve) => {
        if (hidden) stderr.write(question);
        const lines = createInterface({
          input: stdin,
          // Only the question is shown to onlookers and in the scrollback.
          output: hidden ? new Writable({ write: (_chunk, _encoding, written) => written() }) : stderr,
          terminal: Boolean(stderr.isTTY),
          prompt: hidden ? '' : question,
        });
        const endWithoutAnswer = () => {
          stderr.write('\n');
          resolve('');
        };
        lines.once('line', (line) => {
          lines.off('close', endWithoutAnswer).close();
          if (hidden) stderr.write('\n');
          resolve(line);
        });
        lines.once('close', endWithoutAnswer);
        lines.prompt();
      }),
    readInput: () => text(stdin),
  };
}

interface Question {
  /** Ends in a question mark. */
  question: string;
  /** The error when nobody can be asked: a sentence that names `--yes`. */
  notInteractive: string;
  /** The error when the answer is no. */
  declined: string;
}

/** Asks for confirmation. Throws unless the answer is yes. */
export async function confirm(
  terminal: Terminal,
  { question, notInteractive, declined }: Question,
): Promise<void> {
  if (!terminal.interactive) throw new CommandError(notInteractive);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(declined);
}
