import { setFingerprint } from '../store/key-fingerprint.ts'
import {
  replaceSealed,
  type SealedColumn,
  sealedColumns,
  sealedWithAnother,
} from '../store/sealed-columns.ts'
import type { Context } from './context.ts'

export interface Rotated {
  /** How many secrets were sealed anew. */
  sealed: number
  /** Those that none of the keys opens, by their table and id. */
  lost: string[]
}

/** Rows that are read at once; the largest are the bodies of webhooks. */
const batch = 50

/**
 * Seals all secrets anew that another key than the first one sealed, while the service goes on. Can
 * be called again after it was interrupted. Then the database is bound to the first key.
 */
export async function rotateKeys(ctx: Pick<Context, 'db' | 'sealer'>): Promise<Rotated> {
  const rotated: Rotated = { sealed: 0, lost: [] }
  for (const column of sealedColumns) await rotateColumn(ctx, column, rotated)
  const [fingerprint] = ctx.sealer.fingerprints
  if (rotated.lost.length === 0 && fingerprint !== undefined) {
    await setFingerprint(ctx.db, fingerprint)
  }
  return rotated
}

async function rotateColumn(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  column: SealedColumn,
  rotated: Rotated,
): Promise<void> {
  const [keyId] = sealer.keyIds
  for (let after = ''; ;) {
    const rows = await sealedWithAnother(db, column, { keyId, after, limit: batch })
    for (const row of rows) {
      const record = column.recordOf(row.id)
      const plain = opened(() => sealer.open(record, row.sealed))
      // What was changed meanwhile was sealed with the first key then.
      if (plain === undefined) rotated.lost.push(`${column.table} ${row.id}`)
      else if (await replaceSealed(db, column, row, sealer.seal(record, plain))) rotated.sealed += 1
    }
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last.id
  }
}

function opened(open: () => Buffer): Buffer | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
