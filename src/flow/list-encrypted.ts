import type { Repository } from '../domain/repository.ts'
import { slugOf } from '../domain/repository.ts'
import { configsOfBranches } from '../store/configs-of-branches.ts'
import type { Context } from './context.ts'
import { encryptedIn } from './secrets/encrypted-in.ts'
import { decrypterOf } from './secrets/secure-values.ts'

/** An encrypted value in the build file of a branch, as its last build has read it. */
export interface EncryptedValue {
  repository: string
  branch: string
  build: number
  /** `env.global[0].TOKEN`, positions counted from 0. */
  path: string
  /** Whether the present key decrypts it: then a new one would not. */
  readable: boolean
}

/** What is encrypted in the build files that the key pair of a repository serves. */
export async function listEncrypted(
  ctx: Pick<Context, 'db' | 'sealer'>,
  repository: Repository,
): Promise<EncryptedValue[]> {
  const decrypt = await decrypterOf(ctx, repository.id)
  const found: EncryptedValue[] = []
  for (const { branch, number, config, ...slug } of await configsOfBranches(ctx.db, repository)) {
    for (const { path, value } of encryptedIn(config)) {
      const readable = decrypt(value) !== undefined
      // What another repository encrypts with a key of its own is not lost with this one.
      if (!readable && slugOf(slug) !== slugOf(repository)) continue
      found.push({ repository: slugOf(slug), branch, build: number, path, readable })
    }
  }
  return found
}
