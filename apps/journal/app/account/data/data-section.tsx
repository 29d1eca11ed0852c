import type { User } from '@fabrica/contract';
import { useLanguage } from '../../language/language-provider.tsx';
import { AccountSection } from '../account-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';

/** Lets the owner download all data of the account, or delete the account. */
export function DataSection({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.data;
  return (
    <AccountSection id="data" title={texts.title} lead={texts.lead}>
      <ExportData user={user} />
      <DeleteAccount user={user} />
    </AccountSection>
  );
}
