import { loadKeys } from '../../src/core/keys.ts';
import { createMailSeal, outboxFolder, readStoredMails, type StoredMail } from '../../src/mail/index.ts';
import { withServerKeys } from '../auth/build-test-keys.ts';

/** Returns a function that reads the mails in the folder of a server with these settings, oldest first. */
export function serverMailReader(
  settings: Readonly<Record<string, string>>,
  dataDir: string,
): () => Promise<StoredMail[]> {
  let opened: ReturnType<typeof openSeal> | undefined;
  const openSeal = () => withServerKeys(settings, async (store) => createMailSeal(await loadKeys(store)));
  return async () => {
    opened ??= openSeal();
    return (await readStoredMails(outboxFolder(dataDir), await opened)).reverse();
  };
}
