import type { ProofKind } from '@fabrica/contract';
import { useState } from 'react';
import type { AccountResult } from '../account-action.ts';
import { type AccountForm, useAccountForm } from '../use-account-form.ts';

export interface ProvenForm extends AccountForm {
  /** The kind of proof that is asked for; undefined as long as the server has asked for none. */
  proofKind: ProofKind | undefined;
  /** The kinds of proof that the owner can give. */
  proofs: readonly ProofKind[];
  chooseProof(kind: ProofKind): void;
}

/** Asks for a proof that it is the owner: at once when its kinds are known, or once the server wants one. */
export function useProvenForm(
  known: readonly ProofKind[] = [],
  onResult: (result: AccountResult) => void = () => {},
): ProvenForm {
  const [proofs, setProofs] = useState<readonly ProofKind[]>(known);
  const [proofKind, chooseProof] = useState<ProofKind | undefined>(known[0] && usualKind(known));
  const form = useAccountForm((result) => {
    const asked = result.proofs;
    if (asked) {
      setProofs(asked);
      chooseProof((shown) => shown ?? usualKind(asked));
    }
    onResult(result);
  });
  return { ...form, proofKind, proofs, chooseProof };
}

/** Returns the kind of proof that is asked for first. A passkey is shown by a button beside the field. */
function usualKind(kinds: readonly ProofKind[]): ProofKind {
  return (['password', 'factor'] as const).find((kind) => kinds.includes(kind)) ?? 'code';
}
