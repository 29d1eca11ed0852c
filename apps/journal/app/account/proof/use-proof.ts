import { FabricaError } from '@fabrica/client';
import type { FreshProof, PasskeyAssertion, ProofKind } from '@fabrica/contract';
import { CODE_TRIES } from '@fabrica/contract';
import { useRef, useState } from 'react';
import { parseCode } from '../../sign-in/forms/form-fields.ts';
import type { TaskFailure } from '../task/use-task.ts';

/** The names of the form fields that take a proof. */
export type ProofField = 'proof' | 'code';

export interface ProofInput {
  /** The kind of proof that is asked for; undefined as long as the server has asked for none. */
  kind: ProofKind | undefined;
  /** Whether the owner can give a password in place of a code. */
  hasPassword: boolean;
  /** Whether the owner can show a passkey in place of a code. */
  hasPasskey: boolean;
  /** The code or the password as it was typed. */
  typed: string;
  type(text: string): void;
  choose(kind: ProofKind): void;
  /** Takes a passkey that the browser has shown; it is the proof of the next call alone. */
  showPasskey(credential: PasskeyAssertion): void;
  /** Returns the proof, if one is asked for, or what is wrong with the field. */
  read(): { proof?: FreshProof; failure?: TaskFailure<ProofField> };
  /** Asks for a proof after a call that missed one. Returns the failure to show, or undefined for another error. */
  explain(error: unknown): TaskFailure<ProofField> | undefined;
}

/** Asks for a proof that it is the owner: at once when its kinds are known, or once the server wants one. */
export function useProof(known: readonly ProofKind[] = []): ProofInput {
  const [kinds, setKinds] = useState<readonly ProofKind[]>(known);
  const [kind, setKind] = useState<ProofKind | undefined>(known[0] && usualKind(known));
  const passkey = useRef<PasskeyAssertion>(undefined);
  const [typed, setTyped] = useState('');

  return {
    kind,
    hasPassword: kinds.includes('password'),
    hasPasskey: kinds.includes('passkey'),
    typed,
    type: setTyped,
    choose(next) {
      setKind(next);
      setTyped('');
    },
    showPasskey(credential) {
      passkey.current = credential;
    },
    read() {
      if (!kind) return {};
      const shown = passkey.current;
      passkey.current = undefined;
      if (shown) return { proof: { passkey: shown } };
      if (kind === 'factor') {
        return typed.trim()
          ? { proof: { factor: typed } }
          : { failure: { field: 'code', text: ({ factors }) => factors.codeMissing } };
      }
      if (kind === 'password')
        return typed
          ? { proof: { password: typed } }
          : { failure: { field: 'proof', text: ({ signIn }) => signIn.passwordMissing } };
      const code = parseCode(typed);
      return code
        ? { proof: { code } }
        : { failure: { field: 'code', text: ({ authMail }) => authMail.code.missing } };
    },
    explain(error) {
      const proofs = readProofs(error);
      if (!proofs) return undefined;
      setKinds(proofs);
      if (kind === 'password') return { field: 'proof', text: ({ account }) => account.password.oldWrong };
      if (kind === 'code') return { field: 'code', text: ({ authMail }) => authMail.code.wrong(CODE_TRIES) };
      if (kind === 'factor') return { field: 'code', text: ({ factors }) => factors.codeWrong };
      setKind(usualKind(proofs));
      return { text: ({ account }) => account.proof.lead };
    },
  };
}

/** Returns the kind of proof that is asked for first. A passkey is shown by a button beside the field. */
function usualKind(kinds: readonly ProofKind[]): ProofKind {
  return (['password', 'factor'] as const).find((kind) => kinds.includes(kind)) ?? 'code';
}

/** Returns the proofs that an error of a call asks for. */
function readProofs(error: unknown): readonly ProofKind[] | undefined {
  if (!(error instanceof FabricaError) || error.code !== 'INVALID_CREDENTIALS') return undefined;
  const { proofs } = (error.details ?? {}) as { proofs?: unknown };
  return Array.isArray(proofs) ? (proofs as ProofKind[]) : undefined;
}
