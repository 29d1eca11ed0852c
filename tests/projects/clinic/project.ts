import { defineProject } from '@fabrica/backend';
import { createPlates, plates } from './plates.ts';

// biome-ignore lint/style/noDefaultExport: the default export of a project's file is its definition
export default defineProject({
  id: 'clinic',
  origins: ['https://clinic.example'],
  languages: ['de', 'fr'],
  roles: { nurse: { permissions: [] }, doctor: { permissions: ['plates.read'], inherits: ['nurse'] } },
  signUpRole: 'nurse',
  tables: { plates, drafts: { columns: { id: { type: 'text', max: 100 } }, policies: {} } },
  migrations: { 'clinic-0001-plates': createPlates },
});
