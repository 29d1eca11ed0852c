import { FabricaError } from '@fabrica/client';
import { useId, useRef, useState } from 'react';
import type { Language } from '../../../project/languages.ts';
import type { PlateMark } from '../../../project/marks.ts';
import { useHasModel } from '../../site/site.ts';
import { Button } from '../../ui/button.tsx';
import { useDesk, useDeskMessages } from '../use-desk.ts';

interface ProposedDescriptionProps {
  /** The URL of a stored picture. */
  picture: string;
  language: Language;
  /** Has a long description proposed, which names these marks. */
  long?: { marks: readonly PlateMark[] };
  /** Takes the proposal, once a person has seen it. */
  onUse(text: string): void;
}

type State =
  | { name: 'idle' }
  | { name: 'busy' }
  | { name: 'proposed'; text: string }
  | { name: 'failed'; reason: 'failed' | 'spent' | 'unsuited' };

/** Asks a model for words about a picture, and shows what it proposes until the author uses or dismisses it. */
export function ProposedDescription({ picture, language, long, onUse }: ProposedDescriptionProps) {
  const texts = useDeskMessages().cover.proposal;
  const desk = useDesk();
  const noteId = useId();
  const hasModel = useHasModel();
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<State>({ name: 'idle' });

  const propose = async () => {
    setState({ name: 'busy' });
    try {
      setState({ name: 'proposed', text: await desk.describePicture({ url: picture, language, long }) });
    } catch (error) {
      setState({ name: 'failed', reason: reasonOf(error) });
    }
  };
  const leave = () => {
    setState({ name: 'idle' });
    button.current?.focus();
  };
  if (!hasModel) return null;
  const isBusy = state.name === 'busy';
  return (
    <div className="-mt-3 grid gap-2">
      <Button
        ref={button}
        variant="outline"
        size="small"
        className="w-fit aria-disabled:opacity-60"
        // A disabled button would lose the focus of the keyboard.
        aria-disabled={isBusy || undefined}
        aria-busy={isBusy || undefined}
        onClick={() => isBusy || void propose()}
      >
        {isBusy ? texts.proposing : long ? texts.proposeLong : texts.propose}
      </Button>
      <div role="status" className="empty:hidden">
        {state.name === 'proposed' && (
          <blockquote aria-describedby={noteId} className="grid gap-2 border-l-2 border-hairline pl-3">
            <p lang={language} className="text-pretty whitespace-pre-line">
              {state.text}
            </p>
            <p id={noteId} className="text-sm text-muted">
              {texts.check}
            </p>
          </blockquote>
        )}
      </div>
      {state.name === 'proposed' && (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="outline"
            size="small"
            onClick={() => {
              onUse(state.text);
              leave();
            }}
          >
            {texts.use}
          </Button>
          <Button variant="quiet" size="small" onClick={leave}>
            {texts.dismiss}
          </Button>
        </div>
      )}
      <p role="alert" className="text-sm text-accent empty:hidden">
        {state.name === 'failed' && texts[state.reason]}
      </p>
    </div>
  );
}

/** Returns why there is no proposal, as far as it helps the author to know. */
function reasonOf(error: unknown): 'failed' | 'spent' | 'unsuited' {
  const code = error instanceof FabricaError ? error.code : undefined;
  if (code === 'AI_QUOTA_EXCEEDED') return 'spent';
  return code === 'FILE_UNREADABLE' ? 'unsuited' : 'failed';
}
