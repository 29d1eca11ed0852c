import type { User } from '@fabrica/contract';
import { useState } from 'react';
import { DataSection } from './data/data-section.tsx';
import { EmailSection } from './email/email-section.tsx';
import { NoticesSection } from './email/notices-section.tsx';
import { PasswordSection } from './password/password-section.tsx';
import { ProfileSection } from './profile/profile-section.tsx';
import { SessionsSection } from './sessions/sessions-section.tsx';

export interface AccountSectionsProps {
  user: User;
  /** Counts how often the owner signed in again while the page was open. */
  signIns: number;
}

/** All that somebody can do with the own account. */
export function AccountSections({ user, signIns }: AccountSectionsProps) {
  const [passwordChanges, setPasswordChanges] = useState(0);
  return (
    <>
      <ProfileSection user={user} />
      <EmailSection user={user} />
      <NoticesSection key={`notices ${signIns}`} user={user} />
      <PasswordSection user={user} onChanged={() => setPasswordChanges((count) => count + 1)} />
      {/* A new sign-in begins a session, a new password ends others: their list is read anew. */}
      <SessionsSection key={`${signIns} ${passwordChanges}`} />
      <DataSection user={user} />
    </>
  );
}
