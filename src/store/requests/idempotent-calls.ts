import { secondsAgo } from '../sql/age.ts'
import type { Database, IdempotentCall } from '../tables.ts'

/** The beginning of the digests of forms. */
export const formCalls = 'form:'

/** Seconds within which a form that is sent again is a second click. */
export const formSeconds = 60

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

/** Deletes a call unless another one took its place: of two that find it too old, one begins anew. */
export async function dropCall(
  db: Database,
  { digest, sealed_call }: Pick<IdempotentCall, 'digest' | 'sealed_call'>,
): Promise<void> {
  await db
    .deleteFrom('idempotent_calls')
    .where('digest', '=', digest)
    .where('sealed_call', '=', sealed_call)
    .execute()
}

/** Deletes calls that are older than `seconds`. */
export async function dropIdempotentCalls(db: Database, seconds: number): Promise<void> {
  await db.deleteFrom('idempotent_calls').where('created_at', '<', secondsAgo(seconds)).execute()
}

/** Deletes forms that no second click can follow now: their answers may contain a new token. */
export async function dropFormCalls(db: Database): Promise<void> {
  await db
    .deleteFrom('idempotent_calls')
    .where('digest', 'like', `${formCalls}%`)
    .where('created_at', '<', secondsAgo(formSeconds))
    .execute()
}
