import type { ProofKind, User } from '@fabrica/contract';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { createPasskey, PasskeyError, usePasskeySupport } from '../../factors/passkey.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { ProvenDialog } from './proven-dialog.tsx';

export interface AddFactorProps {
  user: User;
  proofs: readonly ProofKind[];
  /** The first factor brings recovery codes. */
  onAdded(name: string, recoveryCodes: readonly string[] | undefined): void;
}

/** Adds a passkey: after a proof, the browser asks where it is to be kept. */
export function AddPasskey({ user, proofs, onAdded }: AddFactorProps) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const { auth } = useClient();
  const isSupported = usePasskeySupport();
  const [open, setOpen] = useState(false);
  if (!isSupported) return <p className="text-muted">{m.factors.unsupported}</p>;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <KeyRound aria-hidden="true" className="size-4 shrink-0" />
        {texts.addPasskey}
      </Button>
      <ProvenDialog
        open={open}
        onClose={() => setOpen(false)}
        user={user}
        proofs={proofs}
        title={texts.addPasskey}
        description={texts.addPasskeyLead}
        confirm={texts.goOn}
        busy={m.factors.waiting}
        explain={(error) =>
          error instanceof PasskeyError
            ? { text: ({ factors }) => (error.reason === 'known' ? factors.known : factors.notShown) }
            : undefined
        }
        act={async (proof) => {
          const credential = await createPasskey(await auth.beginPasskey({ proof }));
          const { factor, recoveryCodes } = await auth.addPasskey({ credential });
          setOpen(false);
          onAdded(factor.name, recoveryCodes);
        }}
      />
    </>
  );
}
