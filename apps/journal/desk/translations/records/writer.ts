import type { SegmentState } from '../../../project/translations.ts';
import type { TranslationRow } from './record-rows.ts';

/** Names who or what writes a text. */
export type Writer =
  | { kind: 'person' | 'import'; userId: string; name?: string | null }
  | { kind: 'model' | 'memory'; name: string | null }
  | { kind: 'unknown' };

/** Returns the columns that name a writer. */
export function columnsOf(writer: Writer): Pick<TranslationRow, 'writer_kind' | 'writer_name' | 'user_id'> {
  return {
    writer_kind: writer.kind,
    writer_name: ('name' in writer ? writer.name : null) ?? null,
    user_id: 'userId' in writer ? writer.userId : null,
  };
}

/**
 * Tells whether a job leaves a text as it is, and proposes its own beside it: a person wrote it, went over it, or may have done so, as
 * in the columns that another program has written.
 */
export function isProtected({ state, writer_kind }: Pick<TranslationRow, 'state' | 'writer_kind'>): boolean {
  if (state === 'missing') return false;
  return state !== 'machine' || (writer_kind !== 'model' && writer_kind !== 'memory');
}

/** Returns whose text readers are told that it is: a machine's, until a person has edited it on the desk or brought it from a file. */
export function labelOf({ writer_kind }: Pick<TranslationRow, 'writer_kind'>): 'machine' | 'person' {
  return writer_kind === 'person' || writer_kind === 'import' ? 'person' : 'machine';
}

/** Returns the state of what a writer has just written. */
export function stateOf({ kind }: Writer): Exclude<SegmentState, 'missing' | 'outdated' | 'reviewed'> {
  return kind === 'person' || kind === 'import' ? 'edited' : 'machine';
}
