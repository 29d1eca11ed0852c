import type { ProofKind, User } from '@fabrica/contract';
import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { ProvenDialog } from './proven-dialog.tsx';

export interface MakeCodesProps {
  user: User;
  proofs: readonly ProofKind[];
  onMade(codes: readonly string[]): void;
}

/** Replaces the recovery codes, after a proof. */
export function MakeCodes({ user, proofs, onMade }: MakeCodesProps) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const { auth } = useClient();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setOpen(true)}>
        {texts.makeCodes}
      </Button>
      <ProvenDialog
        open={open}
        onClose={() => setOpen(false)}
        user={user}
        proofs={proofs}
        title={texts.makeCodes}
        description={texts.makeCodesLead}
        confirm={texts.makeCodes}
        busy={texts.making}
        act={async (proof) => {
          const codes = await auth.makeRecoveryCodes(proof);
          setOpen(false);
          onMade(codes);
        }}
      />
    </>
  );
}
