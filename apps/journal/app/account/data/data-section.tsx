import { useLanguage } from '../../language/language-provider.tsx';
import { AccountSection } from '../account-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';

/** Lets the owner download all data of the account, or delete the account. */
export function DataSection({ email }: { email: string }) {
  const { m } = useLanguage();
  const texts = m.account.data;
  return (
    <AccountSection id="data" title={texts.title} lead={texts.lead}>
      <ExportData />
      <DeleteAccount email={email} />
    </AccountSection>
  );
}
