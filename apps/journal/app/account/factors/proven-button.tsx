import { useState } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { ProvenQuestion, type ProvenQuestionProps } from '../proof/proven-question.tsx';

interface ProvenButtonProps extends Omit<ProvenQuestionProps, 'onClose'> {
  button: ButtonProps;
}

/** Renders a button that asks the owner for a proof before a change, and makes it. */
export function ProvenButton({ button, ...question }: ProvenButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {open && <ProvenQuestion {...question} onClose={() => setOpen(false)} />}
    </>
  );
}
