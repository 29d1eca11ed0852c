import { CommandError } from './command-error.ts';
import type { Terminal } from './terminal.ts';

export interface Question {
  /** Ends in a question mark. */
  question: string;
  /** What is said where nobody can be asked: a sentence that names `--yes`. */
  unasked: string;
  /** What is said when the answer is no. */
  refused: string;
}

/** Throws unless a person says yes. */
export async function confirm(terminal: Terminal, { question, unasked, refused }: Question): Promise<void> {
  if (!terminal.interactive) throw new CommandError(unasked);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(refused);
}
