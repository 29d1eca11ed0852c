import { ConfigError, parseConfig } from '@fabrica/backend';
import { runCli } from '@fabrica/backend/cli';
import { defineJournal } from './project/project.ts';

process.exitCode = await runCli({
  arguments: process.argv.slice(2),
  process,
  configure() {
    const config = parseConfig(process.env);
    const { projectId: id, signUpRole, allowedOrigins: origins } = config;
    try {
      return { config, projects: [defineJournal({ id, signUpRole, origins })] };
    } catch (error) {
      throw new ConfigError([`SIGNUP_ROLE: ${(error as Error).message}`]);
    }
  },
});
