import { AuthError, FabricaError, type TableClient } from '@fabrica/client';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { useBusy } from '../ui/use-busy.ts';
import type { SiteMessages } from './load-site-messages.ts';
import { changedColumns, type EditableRow, mergeRows, saveRow } from './save-row.ts';

export interface RowForm<Row> {
  draft: Row;
  changed: boolean;
  saving: boolean;
  /** Says how the last try to save ended. */
  outcome: { kind: 'saved' | 'conflict' | 'failed'; text: string } | undefined;
  /** Values that somebody else saved meanwhile, of columns that are changed here too. */
  theirs: Partial<Row>;
  /** Whether the last try failed because the session has ended. */
  expired: boolean;
  change(values: Partial<Row>): void;
  save(): Promise<void>;
  /** Continues after signing in again. */
  resume(): void;
}

/** Holds what is typed into a form of one row. Nothing of it is lost when saving fails or somebody else was faster. */
export function useRowForm<Row extends EditableRow>(
  table: TableClient<Row>,
  loaded: Row,
  texts: SiteMessages,
): RowForm<Row> {
  const { revalidate } = useRevalidator();
  const [{ base, draft }, setRows] = useState({ base: loaded, draft: loaded });
  const [theirs, setTheirs] = useState<Partial<Row>>({});
  const [outcome, setOutcome] = useState<RowForm<Row>['outcome']>();
  const [expired, setExpired] = useState(false);
  const { busy, run } = useBusy<'save'>((error) => {
    setExpired(error instanceof AuthError);
    setOutcome({ kind: 'failed', text: explain(error, texts) });
  });

  const save = async () => {
    await run('save', async () => {
      setOutcome(undefined);
      const { kind, row } = await saveRow(table, { base, draft });
      if (kind === 'saved') {
        setRows({ base: row, draft: row });
        setTheirs({});
        setOutcome({ kind, text: texts.saved });
        // The header, the footer and the colours of this page are the site's too.
        void revalidate();
        return;
      }
      const merged = mergeRows(base, draft, row);
      setRows({ base: row, draft: merged.row });
      setTheirs(Object.fromEntries(merged.both.map((name) => [name, row[name]])) as Partial<Row>);
      setOutcome({ kind, text: texts.conflict });
    });
  };

  return {
    draft,
    changed: Object.keys(changedColumns(base, draft)).length > 0,
    saving: busy !== undefined,
    outcome,
    theirs,
    expired,
    change(values) {
      setRows((rows) => ({ ...rows, draft: { ...rows.draft, ...values } }));
      setOutcome((shown) => (shown?.kind === 'saved' ? undefined : shown));
    },
    save,
    resume() {
      setExpired(false);
      setOutcome(undefined);
    },
  };
}

function explain(error: unknown, texts: SiteMessages): string {
  const code = error instanceof FabricaError ? error.code : undefined;
  if (code === 'VALIDATION_FAILED') return texts.refused((error as FabricaError).message);
  return code === 'FORBIDDEN' ? texts.forbidden : texts.failed;
}
