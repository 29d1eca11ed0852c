import type { OptionDefinitions } from './command.ts';

/** Every command takes these. */
export const commonOptions: OptionDefinitions = {
  project: { value: '<id>', description: 'The project that is meant; by default the one of PROJECT_ID.' },
  json: { description: 'Answers JSON, for machines.' },
  help: { description: 'Says what the command does and takes.' },
};
