import type { AddedFactor, ProofKind } from '@fabrica/contract';
import { KeyRound } from 'lucide-react';
import { usePasskeySupport } from '../../factors/passkey.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { ProvenButton } from './proven-button.tsx';

export interface AddFactorProps {
  proofs: readonly ProofKind[];
  onAdded(added: AddedFactor): void;
}

/** Adds a passkey: after a proof, the browser asks where it is to be kept. */
export function AddPasskey({ proofs, onAdded }: AddFactorProps) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const isSupported = usePasskeySupport();
  if (!isSupported) return <p className="text-muted">{m.factors.unsupported}</p>;
  const label = (
    <>
      <KeyRound aria-hidden="true" className="size-4 shrink-0" />
      {texts.addPasskey}
    </>
  );
  return (
    <ProvenButton
      fields={{ intent: 'add-passkey' }}
      button={{ children: label }}
      proofs={proofs}
      title={texts.addPasskey}
      description={texts.addPasskeyLead}
      confirm={texts.goOn}
      busy={m.factors.waiting}
      onDone={({ added }) => added && onAdded(added)}
    />
  );
}
