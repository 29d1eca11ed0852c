import { writeFileSync } from 'node:fs';
import { type Cli, confirm, deleteAccountWithFiles, findAccount } from '@fabrica/backend/cli';
import { authors, emailOf, removedMarker } from './index.ts';
import { siteTexts } from './site-texts.ts';

export function demoRemove({ command, run }: Cli): void {
  command(
    'demo remove',
    'Deletes the accounts of the demo with their posts and files, and its texts of the site.',
  )
    .option('--yes', 'Skips the confirmation.')
    .addHelpText(
      'after',
      '\nTexts of the site that were changed stay. No later start fills the journal again.',
    )
    .action(
      run(async (context, { yes }) => {
        const { config, terminal, fetchRows, show } = context;
        if (!yes) {
          await confirm(terminal, {
            question: 'Delete the accounts of the demo with all their posts, for good?',
            notInteractive: 'Nobody can be asked here whether the demo is to be deleted: say so with --yes.',
            declined: 'Nothing was deleted.',
          });
        }
        // An empty journal would be filled again.
        writeFileSync(removedMarker(config), '');
        const project = await context.project();
        const removed: string[] = [];
        for (const author of Object.values(authors)) {
          const account = await findAccount(project, emailOf(author));
          if (!account) continue;
          await deleteAccountWithFiles(context, { project, userId: account.id, withModerated: true });
          removed.push(account.email);
        }
        await clearTexts(fetchRows);
        const text = removed.length > 0 ? 'The demo is removed.' : 'There was no account of the demo.';
        show({ removed }, text);
      }),
    );
}

/** Empties each text of the site that is still the demo's. */
async function clearTexts(fetchRows: (path: string, init?: RequestInit) => Promise<Response>): Promise<void> {
  const response = await fetchRows('/rest/v1/site_texts');
  const rows = (await response.json()) as Record<string, unknown>[];
  for (const texts of siteTexts) {
    const row = rows.find(({ id }) => id === texts.id);
    const columns = Object.entries(texts)
      .map(
        ([field, text]) => [field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), text] as const,
      )
      .filter(([column, text]) => column !== 'id' && row?.[column] === text);
    if (columns.length === 0) continue;
    await fetchRows(`/rest/v1/site_texts?id=eq.${texts.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...Object.fromEntries(columns.map(([column]) => [column, null])),
        updated_at: Date.now(),
      }),
    });
  }
}
