import { type ComponentProps, type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type FetcherWithComponents, useFetcher } from 'react-router';

export interface ActionForm<Result> {
  /** The form element. Spread `props` on it. */
  Form: FetcherWithComponents<Result>['Form'];
  props: Pick<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> & {
    method: 'post';
    defaultShouldRevalidate: false;
  };
  /** What the action returned last, or what is shown in its place. */
  result: Result | undefined;
  /** The intent of the form that is being sent: the value of its field `intent`, or `send` if it has none. */
  busy: string | undefined;
  /** Sends fields that no form has, or those of a form with more, unless a form is being sent. */
  send(fields: Record<string, string> | FormData, from?: HTMLFormElement): void;
  /** Shows another result, until a form is sent again. */
  show(result: Result): void;
}

/**
 * Sends the forms of a component to the action of its route, one at a time, and stays on the page. Without a script the browser
 * sends them, and `sent` is the result that the page was rendered with. `onResult` is called with each result in the browser.
 */
export function useActionForm<Result extends object>(
  sent: Result | undefined,
  onResult: (result: Result, form: HTMLFormElement | null) => void = () => {},
): ActionForm<Result> {
  const fetcher = useFetcher<Result>();
  const { state, formData } = fetcher;
  const data = fetcher.data as Result | undefined;
  const [replaced, setReplaced] = useState<{ data: Result | undefined; by: Result }>();
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  useEffect(() => {
    if (state === 'idle') isSending.current = false;
  }, [state]);
  const take = useEffectEvent((result: Result) => {
    // A form that fails at once is idle again before anybody sees that it was sent.
    isSending.current = false;
    onResult(result, form.current);
  });
  useEffect(() => {
    if (data !== undefined) take(data);
  }, [data]);

  return {
    Form: fetcher.Form,
    props: {
      method: 'post',
      noValidate: true,
      defaultShouldRevalidate: false,
      onSubmit(event: FormEvent<HTMLFormElement>) {
        if (isSending.current) return event.preventDefault();
        isSending.current = true;
        form.current = event.currentTarget;
      },
    },
    result: replaced && replaced.data === data ? replaced.by : (data ?? sent),
    busy: state === 'idle' ? undefined : String(formData?.get('intent') ?? 'send'),
    send(fields, from) {
      if (isSending.current) return;
      isSending.current = true;
      form.current = from ?? null;
      const encType =
        fields instanceof FormData ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
      void fetcher.submit(fields, { method: 'post', encType, defaultShouldRevalidate: false });
    },
    show: (by) => setReplaced({ data, by }),
  };
}
