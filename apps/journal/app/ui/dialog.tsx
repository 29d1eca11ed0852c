import { Content, Description, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description: string;
  /** `alertdialog` where something cannot be taken back. */
  role?: 'dialog' | 'alertdialog';
  /** The buttons; the first is focused when the dialog opens. */
  children: ReactNode;
}

/** A question in the middle of the page; Escape and a press outside close it. */
export function Dialog({ open, onOpenChange, title, description, role = 'dialog', children }: DialogProps) {
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      <Portal>
        <Overlay className="fixed inset-0 z-40 bg-black/55 backdrop-blur-[2px]" />
        <Content
          role={role}
          className="fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-3 overflow-y-auto rounded-xs border border-hairline bg-raised p-6 shadow-2xl sm:p-8"
        >
          <Title className="font-serif text-2xl leading-tight tracking-[-0.01em]">{title}</Title>
          <Description className="text-muted leading-relaxed">{description}</Description>
          <div className="mt-4 flex flex-wrap justify-end gap-3">{children}</div>
        </Content>
      </Portal>
    </Root>
  );
}
