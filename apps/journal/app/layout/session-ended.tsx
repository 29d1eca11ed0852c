import { FabricaError } from '@fabrica/client';
import { type AuthErrorCode, isAuthErrorCode } from '@fabrica/contract';
import { useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';

interface SessionEndedProps {
  /** Says what to do, and that nothing is lost. */
  description: string;
  /** Called after signing in again. The alert is removed then, so the focus must be moved. */
  onReturn(): void;
}

/**
 * Shows that the session has ended. Signing in again happens in a popup, so that the page stays as it is; where the
 * browser blocks popups, the client redirects to the sign-in page and back.
 */
export function SessionEnded({ description, onReturn }: SessionEndedProps) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const texts = m.publish.sessionEnded;
  const [failure, setFailure] = useState<AuthErrorCode | 'default'>();

  const signIn = async () => {
    setFailure(undefined);
    try {
      if (await auth.signInWithPopup()) onReturn();
    } catch (error) {
      const code = error instanceof FabricaError ? error.code : undefined;
      setFailure(isAuthErrorCode(code) ? code : 'default');
    }
  };

  return (
    <div role="alert" className="grid justify-items-start gap-3 border border-accent bg-raised p-5">
      <p className="font-medium">{texts.title}</p>
      <p className="text-muted">{description}</p>
      {failure && <p className="text-accent">{m.signIn.errors[failure]}</p>}
      <Button variant="danger" size="small" onClick={() => void signIn()}>
        {texts.signIn}
      </Button>
    </div>
  );
}
