import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

interface ConfirmDialogProps extends Pick<DialogProps, 'open' | 'title' | 'description' | 'fallback'> {
  /** The words of the buttons. */
  cancel: string;
  confirm: ReactNode;
  /** Whether it can be undone. */
  isHarmless?: boolean;
  /** Whether what was confirmed is under way. The question stays until then. */
  busy?: boolean;
  onConfirm(): void;
  onCancel(): void;
  /** Stands above the buttons. */
  children?: ReactNode;
}

/** Asks whether something is to be done. */
export function ConfirmDialog({
  cancel,
  confirm,
  isHarmless = false,
  busy = false,
  onConfirm,
  onCancel,
  children,
  ...question
}: ConfirmDialogProps) {
  return (
    <Dialog {...question} role="alertdialog" onOpenChange={() => busy || onCancel()}>
      {children}
      <Button variant="outline" disabled={busy} onClick={onCancel}>
        {cancel}
      </Button>
      <Button variant={isHarmless ? 'primary' : 'danger'} busy={busy} onClick={onConfirm}>
        {confirm}
      </Button>
    </Dialog>
  );
}
