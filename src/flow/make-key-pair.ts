import { insertKeyPair, type PublicKey } from '../store/key-pairs.ts'
import type { Database } from '../store/tables.ts'
import type { Context } from './context.ts'
import { sealedPair } from './repository/sealed-pair.ts'

type KeyContext = Pick<Context, 'db' | 'sealer' | 'newKeyPair'>

/** Those that are being made, so that who asks for one meanwhile gets the same. */
const underway = new WeakMap<Database, Map<number, Promise<PublicKey>>>()

/** Makes the key pair of a repository that had none; returns the one that it has, whoever made it. */
export function makeKeyPair(ctx: KeyContext, repositoryId: number): Promise<PublicKey> {
  const making = underway.get(ctx.db) ?? new Map<number, Promise<PublicKey>>()
  underway.set(ctx.db, making)
  const begun = making.get(repositoryId)
  if (begun) return begun
  const made = store(ctx, repositoryId).finally(() => making.delete(repositoryId))
  making.set(repositoryId, made)
  return made
}

async function store({ db, sealer, newKeyPair }: KeyContext, id: number): Promise<PublicKey> {
  return insertKeyPair(db, sealedPair(sealer, id, await newKeyPair()))
}
