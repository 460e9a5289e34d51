import { secondsAgo } from '../sql/age.ts'
import type { Database, IdempotentCall } from '../tables.ts'

/** Stores a call as running now; returns the call already stored under its digest, if there is one. */
export async function keepCall(
  db: Database,
  call: Pick<IdempotentCall, 'digest' | 'sealed_call'>,
): Promise<IdempotentCall | undefined> {
  const kept = await db
    .insertInto('idempotent_calls')
    .values(call)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst()
  if (kept) return undefined
  return db
    .selectFrom('idempotent_calls')
    .selectAll()
    .where('digest', '=', call.digest)
    .executeTakeFirst()
}

export async function keepAnswer(
  db: Database,
  { digest, sealed_call }: Pick<IdempotentCall, 'digest' | 'sealed_call'>,
): Promise<void> {
  await db
    .updateTable('idempotent_calls')
    .set({ sealed_call })
    .where('digest', '=', digest)
    .execute()
}

export async function forgetCall(db: Database, digest: string): Promise<void> {
  await db.deleteFrom('idempotent_calls').where('digest', '=', digest).execute()
}

/** Deletes calls that are older than `seconds`. */
export async function dropIdempotentCalls(db: Database, seconds: number): Promise<void> {
  await db.deleteFrom('idempotent_calls').where('created_at', '<', secondsAgo(seconds)).execute()
}
