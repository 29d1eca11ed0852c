import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';

/** The project's name for mails about comments (`notices` of `project/project.ts`). */
const NEW_COMMENTS = 'new-comments';

export interface NoticeChoices {
  status: 'loading' | 'ready' | 'failed';
  newComments: boolean;
  /** Reads them anew. */
  load(): void;
  /** Shown at once, and taken back when it does not work; rejects then. */
  change(newComments: boolean): Promise<void>;
}

export function useNotices(): NoticeChoices {
  const { notifications } = useClient();
  const [choices, setChoices] = useState<Pick<NoticeChoices, 'status' | 'newComments'>>({
    status: 'loading',
    newComments: false,
  });
  /** What was asked for last; answers to anything earlier are no longer wanted. */
  const latest = useRef(0);

  const load = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    setChoices({ status: 'loading', newComments: false });
    try {
      const { notices } = await notifications.settings();
      if (mine === latest.current)
        setChoices({ status: 'ready', newComments: notices[NEW_COMMENTS] === true });
    } catch (error) {
      reportError(error);
      if (mine === latest.current) setChoices({ status: 'failed', newComments: false });
    }
  }, [notifications]);

  useEffect(() => {
    void load();
    return () => {
      latest.current += 1;
    };
  }, [load]);

  return {
    ...choices,
    load: () => void load(),
    async change(newComments) {
      setChoices({ status: 'ready', newComments });
      try {
        await notifications.changeSettings({ [NEW_COMMENTS]: newComments });
      } catch (error) {
        setChoices({ status: 'ready', newComments: !newComments });
        throw error;
      }
    },
  };
}
