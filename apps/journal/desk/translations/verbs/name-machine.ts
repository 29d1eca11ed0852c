import type { PostRequest } from '../../desk-context.ts';
import { quotaOf } from '../../rows-quota.ts';
import { openPost } from '../../working-copy.ts';
import { changeRecords, planFacts } from '../change-records.ts';
import { targetLanguages } from '../original.ts';

/**
 * Notes that a machine has written what another program stored, as the page does that creates posts. It only lowers what
 * readers may believe: what a person has written or reviewed here stays theirs.
 */
export async function nameMachine(request: PostRequest, model: string | null): Promise<void> {
  const { desk, caller, postId } = request;
  await openPost(request);
  await changeRecords(desk, postId, ({ records, original, post, facts }) => {
    for (const row of records.all()) {
      const isUnknown = row.writer_kind === 'unknown' && row.state === 'machine';
      if (isUnknown) records.mark(row, { writer_kind: 'model', writer_name: model });
    }
    const known = { ...facts };
    for (const language of targetLanguages(original.language)) {
      const fact = known[language];
      if (fact?.by === 'unknown') known[language] = { ...fact, by: 'machine' };
    }
    const plans = planFacts(desk, post, known);
    return { plans, quota: quotaOf(desk, caller.id), result: () => undefined };
  });
}
