import { ConfigError, readProjects } from '@fabrica/backend';
import { runCli } from '@fabrica/backend/cli';
import { journalCommands } from './project/commands.ts';
import { defineJournal } from './project/project.ts';
import { journalSettings, pages, parseJournalConfig, provingServer } from './project/settings.ts';
import { createOperatorMails } from './server/operator-mails.ts';

process.exitCode = await runCli({
  arguments: process.argv.slice(2),
  process,
  own: journalCommands,
  async configure() {
    const config = parseJournalConfig(process.env);
    const { projectId: id, signUpRole, allowedOrigins: origins } = config;
    const others = await readProjects(config);
    try {
      const journal = defineJournal({ id, signUpRole, origins });
      return {
        config,
        pages,
        ownSettings: Object.keys(journalSettings),
        server: provingServer,
        projects: [journal, ...others],
        openMails: (fetchRows) => createOperatorMails(config, fetchRows),
      };
    } catch (error) {
      throw new ConfigError([`SIGNUP_ROLE: ${(error as Error).message}`]);
    }
  },
});

// What has never responded may keep a connection open.
setTimeout(() => process.exit(), 1_000).unref();
