import { AuthError, FabricaError } from '@fabrica/client';
import { use, useEffect, useEffectEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { SessionEndContext } from '../client/use-page-owner.ts';
import { type ActionForm, useActionForm } from '../ui/use-action-form.ts';
import type { SiteMessages } from './load-site-messages.ts';
import { changedColumns, type EditableRow, mergeRows, type RowChange, type SaveResult } from './save-row.ts';

type Result<Row> = SaveResult<Row> | { kind: 'resumed' };

export interface RowForm<Row> extends Pick<ActionForm<object>, 'Form' | 'props'> {
  draft: Row;
  saving: boolean;
  /** Says how the last try to save ended. */
  outcome: { kind: Result<Row>['kind']; text: string } | undefined;
  /** Values that somebody else saved meanwhile, of columns that are changed here too. */
  theirs: Partial<Row>;
  /** Whether the last try failed because the session has ended. */
  expired: boolean;
  change(values: Partial<Row>): void;
  save(): void;
  /** Continues after signing in again. */
  resume(): void;
}

export interface RowFormOptions<Row> {
  table: RowChange<Row>['table'];
  loaded: Row;
  texts: SiteMessages;
  /** Is called when changes appear that are not saved, and when there are none any more. */
  onChanged(changed: boolean): void;
}

/** Holds what is typed into a form of one row. Nothing of it is lost when saving fails or somebody else was faster. */
export function useRowForm<Row extends EditableRow>({
  table,
  loaded,
  texts,
  onChanged,
}: RowFormOptions<Row>): RowForm<Row> {
  const { revalidate } = useRevalidator();
  const onSessionEnd = use(SessionEndContext);
  const [{ base, draft, sent }, setRows] = useState({ base: loaded, draft: loaded, sent: loaded });
  const [theirs, setTheirs] = useState<Partial<Row>>({});
  const { Form, props, busy, send, show, result } = useActionForm<Result<Row>>(undefined, (saved) => {
    if (saved.kind === 'failed' && saved.error instanceof AuthError) onSessionEnd();
    if (saved.kind !== 'saved' && saved.kind !== 'conflict') return;
    const { kind, row } = saved;
    // What was typed meanwhile is a change of what was sent.
    const merged = mergeRows(kind === 'saved' ? sent : base, draft, row);
    setRows({ base: row, draft: merged.row, sent: row });
    setTheirs(
      kind === 'saved'
        ? {}
        : (Object.fromEntries(merged.both.map((name) => [name, row[name]])) as Partial<Row>),
    );
    // The header, the footer and the colours of this page are the site's too.
    if (kind === 'saved') void revalidate();
  });
  const changed = Object.keys(changedColumns(base, draft)).length > 0;
  const tell = useEffectEvent(onChanged);
  useEffect(() => tell(changed), [changed]);
  const isTold = result && busy === undefined && !(result.kind === 'saved' && changed);

  return {
    Form,
    props,
    draft,
    saving: busy !== undefined,
    outcome: isTold ? { kind: result.kind, text: describe(result, texts) } : undefined,
    theirs,
    expired: result?.kind === 'failed' && result.error instanceof AuthError,
    change: (values) => setRows((rows) => ({ ...rows, draft: { ...rows.draft, ...values } })),
    save() {
      setRows((rows) => ({ ...rows, sent: rows.draft }));
      send({ row: JSON.stringify({ table, base, draft } satisfies RowChange<Row>) });
    },
    resume: () => show({ kind: 'resumed' }),
  };
}

function describe(result: Result<object>, texts: SiteMessages): string {
  if (result.kind !== 'failed') return result.kind === 'resumed' ? '' : texts[result.kind];
  const { error } = result;
  const code = error instanceof FabricaError ? error.code : undefined;
  if (code === 'VALIDATION_FAILED') return texts.refused((error as FabricaError).message);
  return code === 'FORBIDDEN' ? texts.forbidden : texts.failed;
}
