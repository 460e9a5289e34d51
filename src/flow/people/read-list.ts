import type { PageAsked, ReadPage } from '../../codehost/codehost.ts'
import { CodehostError } from '../../codehost/codehost.ts'
import { dropPagesAfter, findPage, putPage, renewPage } from '../../store/people/sync-pages.ts'
import { timeOf } from '../../store/sql/age.ts'
import type { SyncEntry } from '../../store/tables.ts'
import { transact, type Transaction } from '../transact.ts'
import type { UserSync } from './user-sync.ts'

/** A list of the code host that a user sees, and how it is stored. */
export interface SyncedList<T> {
  name: string
  /** Reads a page; undefined if it has not changed. */
  read(asked: PageAsked): Promise<ReadPage<T> | undefined>
  /** Stores the entries of a page as seen at that time; returns the entries to remember. */
  store(tx: Transaction, entries: readonly T[], seen_at: Date): Promise<SyncEntry[]>
  /** Stores the remembered entries of a page, both after a read and if it has not changed. */
  confirm(tx: Transaction, entries: readonly SyncEntry[]): Promise<void>
}

/** How reading a list ended. If it was not read, the stored data stays. */
export type ListEnd =
  | 'read'
  /** The code host does not show the list to the user. */
  | 'refused'
  /** The app installation is suspended. */
  | 'suspended'

/**
 * Reads all pages of a list, each in a transaction of its own: pages read by a sync that was interrupted
 * are not read again. Throws if the code host fails, or does not accept the token.
 */
export async function readList<T>(sync: UserSync, list: SyncedList<T>): Promise<ListEnd> {
  try {
    let page = 1
    while (await readPage(sync, list, page)) page += 1
    await dropPagesAfter(sync.ctx.db, { user_id: sync.user_id, list: list.name, page })
    return 'read'
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    if (error.badToken || (error.temporary && !error.suspended)) throw error
    const { user_id } = sync
    sync.ctx.log.warn({ user_id, list: list.name, err: error }, 'a list was refused to a user')
    return error.suspended ? 'suspended' : 'refused'
  }
}

/** Reads and stores a page; returns whether there is another page. */
async function readPage<T>(
  { ctx, user_id }: UserSync,
  { name, read, store, confirm }: SyncedList<T>,
  page: number,
): Promise<boolean> {
  const at = { user_id, list: name, page }
  const known = await findPage(ctx.db, at)
  if (known?.is_fresh) return known.more
  const seen_at = await timeOf(ctx.db)
  const found = await read({ page, etag: known?.etag ?? null })
  return transact(ctx, async (tx) => {
    if (found) {
      const entries = await store(tx, found.entries, seen_at)
      await confirm(tx, entries)
      await putPage(tx.db, { ...at, etag: found.etag, entries, more: found.more })
      return found.more
    }
    await confirm(tx, known?.entries ?? [])
    await renewPage(tx.db, at)
    return known?.more ?? false
  })
}
