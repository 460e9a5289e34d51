import { randomUUID } from 'node:crypto'
import type { OwnerRef } from '../../src/domain/owner.ts'
import type { Database } from '../../src/store/tables.ts'
import { testSealer } from './context.ts'

/** Gives an owner a variable for all repositories, and returns its id. */
export async function addOwnerVariable(
  db: Database,
  { owner_type, owner_id }: OwnerRef,
  given: { id?: string; name?: string; value?: string; public?: boolean } = {},
): Promise<string> {
  const { id = randomUUID(), name = 'VOICE', value = 'loud', public: isPublic = true } = given
  const sealed_value = testSealer.sealText({ type: 'env_var', id }, value)
  await db
    .insertInto('env_vars')
    .values({ id, owner_type, owner_id, name, sealed_value, public: isPublic })
    .execute()
  return id
}
