import type { User } from '@fabrica/contract';
import { useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import { useLoadedData } from '../ui/use-loaded-data.ts';
import { BylinesSection } from './bylines/bylines-section.tsx';
import { DataSection } from './data/data-section.tsx';
import { EmailSection } from './email/email-section.tsx';
import { NoticesSection } from './email/notices-section.tsx';
import { FactorsSection } from './factors/factors-section.tsx';
import { IntroductionSection } from './introduction/introduction-section.tsx';
import { PasswordSection } from './password/password-section.tsx';
import { ProfileSection } from './profile/profile-section.tsx';
import { SessionsSection } from './sessions/sessions-section.tsx';

interface AccountSectionsProps {
  user: User;
  /** Tells how often the owner signed in again while the page was open. */
  signIns: number;
}

/** Shows all sections of the account page. */
export function AccountSections({ user, signIns }: AccountSectionsProps) {
  const { auth } = useClient();
  const [changes, setChanges] = useState(0);
  const factors = useLoadedData(`factors ${signIns}`, () => auth.factors());
  const lacksPassword = factors.data?.hasPassword === false;
  return (
    <>
      <ProfileSection user={user} />
      {auth.can('posts.create') && <IntroductionSection key={`introduction ${signIns}`} user={user} />}
      <BylinesSection key={`bylines ${signIns}`} />
      <EmailSection user={user} />
      <NoticesSection key={`notices ${signIns}`} user={user} />
      <PasswordSection
        user={user}
        lacksPassword={lacksPassword}
        onChanged={() => setChanges((count) => count + 1)}
      />
      <FactorsSection
        key={`factors ${signIns}`}
        user={user}
        list={factors}
        onChanged={() => setChanges((count) => count + 1)}
      />
      {/* A sign-in adds a session, and a new password or a first factor ends others, so the key reloads the list. */}
      <SessionsSection key={`${signIns} ${changes}`} />
      <DataSection email={user.email} />
    </>
  );
}
