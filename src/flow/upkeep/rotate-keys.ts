import { setFingerprint } from '../../store/secrets/key-fingerprint.ts'
import {
  replaceSealed,
  type SealedColumn,
  sealedColumns,
  sealedWithAnother,
} from '../../store/secrets/sealed-columns.ts'
import type { Context } from '../context.ts'

export interface Rotated {
  /** The number of secrets that were sealed again. */
  sealed: number
  /** Secrets that no key opens, by their table and id. */
  lost: string[]
}

/** Rows read per query; the largest are the bodies of webhooks. */
const batch = 50

/**
 * Seals all secrets again that were not sealed with the first key, while the service keeps running. Can be
 * called again after an interruption. Finally, unless secrets are lost, binds the database to the first key.
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
      // A secret that was changed in the meantime is already sealed with the first key.
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
