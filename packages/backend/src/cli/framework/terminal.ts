import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Where a command's words come from and go to. */
export interface Terminal {
  /** What was asked for, on standard output. */
  print(text: string): void;
  /** What there is to say about it, on standard error, so that it never mixes with the answer. */
  note(text: string): void;
  /** Is there a person who can answer a question? */
  interactive: boolean;
  /** Empty when the person ends the input instead. What is typed is not shown, if it is to be `hidden`. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** All of standard input. */
  readInput(): Promise<string>;
}

export interface TerminalStreams {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

/** The terminal that a process was started from. */
export function openTerminal({ stdin, stdout, stderr }: TerminalStreams): Terminal {
  // Whoever reads our answer may have seen enough of it (`fabrica user list | head`).
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
          // Whoever looks on, or scrolls back, sees the question alone.
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
