import type { ServicePlans, TablePlan } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import type { TranslationRow } from '../records/record-rows.ts';
import { type MemoryPair, rememberPlan } from './memory.ts';

/**
 * Plans that the memory learns the texts that people have written or accepted. One that the guard holds back is not learnt,
 * unless somebody has overruled it.
 */
export function rememberTexts(
  plans: ServicePlans,
  rows: readonly TranslationRow[],
  source: Language | null,
): TablePlan[] {
  if (source === null) return [];
  const pairs = rows.flatMap((row): MemoryPair[] => {
    const userId = row.reviewed_by ?? row.user_id;
    const isRight = row.blocks === 0 || row.overruled_at !== null;
    const isOfPerson = row.state === 'edited' || row.state === 'reviewed';
    if (row.text === null || userId === null || !isOfPerson || !isRight) return [];
    return [
      {
        source: { language: source, text: row.source_text },
        target: { language: row.language, text: row.text },
        writer: 'person',
        ...{ userId, postId: row.post_id, updatedAt: row.updated_at },
      },
    ];
  });
  return pairs.length > 0 ? [rememberPlan({ plans }, pairs)] : [];
}
