import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** What this program writes; it reads these and older ones. */
const FORMAT = 1;
const MANIFEST_FILE = 'manifest.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const projectBackup = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/),
  /** Its file, `<id>.sqlite`. */
  database: z.object({ bytes: count }),
  migrations: z.array(z.object({ name: z.string(), timestamp: z.string() })),
  tables: z.array(z.object({ table: z.string(), rows: count, sha256 })),
  /** What no migration made, and was not to be carried from PostgreSQL. */
  leftOut: z.array(z.string()),
  /** What the database names of the store; null: they were left where they are. */
  files: z
    .object({
      count,
      bytes: count,
      /** Paths of files whose bytes the store did not have, or not as they were uploaded. */
      damaged: z.array(z.string()),
      /** Paths of files that somebody removed right after the database was read. */
      gone: z.array(z.string()),
    })
    .nullable(),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  fabrica: z.string(),
  madeAt: z.iso.datetime(),
  /** That it was made of; it can be restored into either. */
  engine: z.enum(['sqlite', 'postgres']),
  projects: z.array(projectBackup).min(1),
  /** Of the list of all other files with their own. */
  sums: z.object({ sha256, files: count }),
});

export type Manifest = Omit<z.infer<typeof manifestSchema>, 'format'>;
export type ProjectBackup = z.infer<typeof projectBackup>;

/** The last file of a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ format: FORMAT, ...manifest }, null, 2);
  await writeFile(join(folder, MANIFEST_FILE), `${text}\n`, { mode: 0o600, flush: true });
}

/** Throws a sentence when the folder is no backup, when it is damaged, or when a newer program has made it. */
export async function readManifest(folder: string): Promise<Manifest> {
  const parsed = parse(folder, await readText(folder));
  const { format } = parsed as { format?: unknown };
  if (typeof format === 'number' && format > FORMAT) {
    throw new Error(`A newer version of Fabrica has made the backup ${folder}: restore it with that one.`);
  }
  const checked = manifestSchema.safeParse(parsed);
  if (!checked.success) throw damaged(folder);
  return checked.data;
}

async function readText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, MANIFEST_FILE), 'utf8');
  } catch (cause) {
    throw new Error(`${folder} is no backup: it has no ${MANIFEST_FILE}.`, { cause });
  }
}

function parse(folder: string, text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch (cause) {
    throw damaged(folder, cause);
  }
}

function damaged(folder: string, cause?: unknown): Error {
  return new Error(`The backup ${folder} is damaged: its ${MANIFEST_FILE} is not as it was written.`, {
    cause,
  });
}
