import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The format that this version writes; it reads this one and older ones. */
const FORMAT = 1;
export const MANIFEST_FILE = 'manifest.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const projectBackup = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/),
  /** The file `<id>.sqlite`. */
  database: z.object({ bytes: count }),
  migrations: z.array(z.object({ name: z.string(), timestamp: z.string() })),
  tables: z.array(z.object({ table: z.string(), rows: count, sha256 })),
  /** Tables, views and columns that no migration made, and that were left out of a copy from PostgreSQL. */
  leftOut: z.array(z.string()),
  /** The files that the database names; `null` when they were not backed up. */
  files: z
    .object({
      count,
      bytes: count,
      /** Paths of files that the file store lacked, or had with other bytes than were uploaded. */
      damaged: z.array(z.string()),
      /** Paths of files that were deleted right after the database was read. */
      gone: z.array(z.string()),
    })
    .nullable(),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  fabrica: z.string(),
  /** The moment of the data: everything that was written before is in the backup. */
  madeAt: z.iso.datetime(),
  /** Tells when the backup was restored elsewhere and tried. A backup without it was not proved. */
  provedAt: z.iso.datetime().optional(),
  /** The engine of the source. The backup can be restored into either. */
  engine: z.enum(['sqlite', 'postgres']),
  projects: z.array(projectBackup).min(1),
  /** The checksum of the list that has the checksums of all other files. */
  sums: z.object({ sha256, files: count }),
});

export type Manifest = Omit<z.infer<typeof manifestSchema>, 'format'>;
export type ProjectBackup = z.infer<typeof projectBackup>;

/** Writes the manifest, the last file of a backup. One that is there is replaced at once. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ format: FORMAT, ...manifest }, null, 2);
  const draft = join(folder, `${MANIFEST_FILE}.draft`);
  await writeFile(draft, `${text}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(folder, MANIFEST_FILE));
}

/**
 * Returns the manifest. Throws when the folder is not a backup, when it is damaged, or when a newer version
 * made it.
 */
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
