import { createContext, type FormEvent, type Ref, use, useEffect, useRef, useState } from 'react';

/** The counter appears when this share of the limit is used. */
const NEAR = 0.9;

/** The words of the counter in the page's language. Numbers are handed in as they are written there. */
interface LimitWords {
  language: string;
  count(count: string, limit: string): string;
  near(limit: string): string;
  passed(limit: string): string;
  over(characters: string, limit: string, excess: number): string;
}

const LimitWordsContext = createContext<LimitWords | null>(null);

export const LimitWordsProvider = LimitWordsContext.Provider;

function useLimitWords(): LimitWords {
  const words = use(LimitWordsContext);
  if (!words) throw new Error('A LimitWordsProvider is missing.');
  return words;
}

/** Returns the characters of a text as the server counts them: whole characters, without the space around. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text.trim()) count += 1;
  return count;
}

/** Returns the sentence that refuses a text which is longer than `limit` characters, or `undefined`. */
export function describeExcess(text: string, limit: number, words: LimitWords): string | undefined {
  const excess = countCharacters(text) - limit;
  const { format } = new Intl.NumberFormat(words.language);
  return excess > 0 ? words.over(format(excess), format(limit), excess) : undefined;
}

/**
 * Returns the text of a control. A control without a `value` keeps its own, so it is followed by `onInput`, and by the
 * reset of its form.
 */
export function useTypedText<Control extends HTMLInputElement | HTMLTextAreaElement>(
  given: Ref<Control> | undefined,
  value: unknown,
  defaultValue: unknown,
) {
  const [typed, setTyped] = useState(String(defaultValue ?? ''));
  const own = useRef<Control>(null);
  useEffect(() => {
    const form = own.current?.form;
    const clear = () => setTyped('');
    form?.addEventListener('reset', clear);
    return () => form?.removeEventListener('reset', clear);
  }, []);
  return {
    text: value === undefined ? typed : String(value),
    control(node: Control | null) {
      own.current = node;
      if (typeof given === 'function') given(node);
      else if (given) given.current = node;
    },
    onInput: (event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setTyped(event.currentTarget.value),
  };
}

/**
 * Counts the characters of a field near and over its limit. Nothing is cut: what is pasted stays, and its form refuses to
 * send it. Screen readers announce that the limit comes near and that it is passed, not every character.
 */
export function TextLimit({ id, text, limit }: { id: string; text: string; limit: number }) {
  const words = useLimitWords();
  const count = text.length < limit * NEAR ? 0 : countCharacters(text);
  const { format } = new Intl.NumberFormat(words.language);
  const excess = count > limit ? describeExcess(text, limit, words) : undefined;
  const isNear = count >= limit * NEAR;
  return (
    <>
      {isNear && (
        <p id={id} className={`text-sm tabular-nums ${excess ? 'font-medium text-accent' : 'text-muted'}`}>
          {excess ?? words.count(format(count), format(limit))}
        </p>
      )}
      <p aria-live="polite" className="sr-only">
        {excess ? words.passed(format(limit)) : isNear ? words.near(format(limit)) : ''}
      </p>
    </>
  );
}
