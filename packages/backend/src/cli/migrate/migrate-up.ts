import type { Cli } from '../program/run-program.ts';
import { runPending } from './database.ts';

export function migrateUp({ command, run }: Cli): void {
  command('migrate up', 'Runs the pending migrations.')
    .addHelpText(
      'after',
      '\nFabrica runs them itself when it starts. One that fails is taken back, and those before it stay.',
    )
    .action(run(async ({ config, definition, show }) => show(...(await runPending(config, [definition])))));
}
