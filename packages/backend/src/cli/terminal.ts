import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** Where a command's words come from and go to. */
export interface Terminal {
  /** What was asked for, on standard output. */
  print(text: string): void;
  /** What there is to say about it, on standard error, so that it never mixes with the answer. */
  note(text: string): void;
  /** Is there a person who can answer a question? */
  interactive: boolean;
  /** Empty when the person ends the input instead. */
  ask(question: string): Promise<string>;
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
    ask: (question) =>
      new Promise((resolve) => {
        const lines = createInterface({ input: stdin, output: stderr, prompt: question });
        const endWithoutAnswer = () => {
          stderr.write('\n');
          resolve('');
        };
        lines.once('line', (line) => {
          lines.off('close', endWithoutAnswer).close();
          resolve(line);
        });
        lines.once('close', endWithoutAnswer);
        lines.prompt();
      }),
    readInput: () => text(stdin),
  };
}
