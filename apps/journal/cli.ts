import { ConfigError, parseConfig, readProjects } from '@fabrica/backend';
import { runCli } from '@fabrica/backend/cli';
import { defineJournal } from './project/project.ts';

process.exitCode = await runCli({
  arguments: process.argv.slice(2),
  process,
  async configure() {
    const config = parseConfig(process.env);
    const { projectId: id, signUpRole, allowedOrigins: origins } = config;
    const others = await readProjects(config);
    try {
      return { config, projects: [defineJournal({ id, signUpRole, origins }), ...others] };
    } catch (error) {
      throw new ConfigError([`SIGNUP_ROLE: ${(error as Error).message}`]);
    }
  },
});
