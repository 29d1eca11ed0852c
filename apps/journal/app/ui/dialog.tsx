import { Content, Description, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog';
import { type ReactNode, useRef } from 'react';

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description: string;
  /** `alertdialog` for an action that cannot be undone. */
  role?: 'dialog' | 'alertdialog';
  /** Receives the focus afterwards if the element that opened the dialog is gone. */
  fallback?: { readonly current: HTMLElement | null };
  /** The buttons; the first one has the focus when the dialog opens. */
  children: ReactNode;
}

/** Asks a question in the middle of the page. Escape and a press outside close it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  role = 'dialog',
  fallback,
  children,
}: DialogProps) {
  const opener = useRef<Element>(null);
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      <Portal>
        <Overlay className="fixed inset-0 z-40 bg-black/55 backdrop-blur-[2px]" />
        <Content
          role={role}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const back = opener.current?.isConnected ? opener.current : fallback?.current;
            if (back instanceof HTMLElement) back.focus();
          }}
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
