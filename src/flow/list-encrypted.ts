import type { Repository } from '../domain/repository.ts'
import { slugOf } from '../domain/repository.ts'
import { configsOfBranches } from '../store/configs-of-branches.ts'
import type { Context } from './context.ts'
import { encryptedIn } from './secrets/encrypted-in.ts'
import { decryptValues } from './secrets/secure-values.ts'

/** An encrypted value in the build file of a branch, as its last build has read it. */
export interface EncryptedValue {
  repository: string
  branch: string
  build: number
  /** `env.global[0].TOKEN`, positions counted from 0. */
  path: string
}

/** One of which it is known whether the present key decrypts it: then a new one would not. */
export interface TriedValue extends EncryptedValue {
  /** Null where there are too many to try. */
  readable: boolean | null
}

/** What is encrypted in the build files that the key pair of a repository serves. */
export async function listEncrypted(
  ctx: Pick<Context, 'db' | 'sealer'>,
  repository: Repository,
): Promise<TriedValue[]> {
  const found = await encryptedFor(ctx, repository, { own: false, limit: mostBranches })
  const values = found.map(({ value }) => value)
  const decrypt = await decryptValues(ctx, { repository, raw: [] }, values)
  return (
    found
      .map(({ value, ...where }) => ({
        ...where,
        readable: decrypt.skips?.(value) === true ? null : decrypt(value) !== undefined,
      }))
      // What another repository encrypts with a key of its own is not lost with this one.
      .filter((each) => each.readable === true || each.repository === slugOf(repository))
  )
}

/** The same in the repository itself, without a look at which of them its present key decrypts. */
export async function listOwnEncrypted(
  ctx: Pick<Context, 'db'>,
  repository: Repository,
): Promise<EncryptedValue[]> {
  const found = await encryptedFor(ctx, repository, { own: true, limit: mostBranchesOfCall })
  return found.map(({ value: _value, ...where }) => where)
}

/** Branches that are looked at, those that were built last: by a command, and by a call. */
const mostBranches = 1000
const mostBranchesOfCall = 100

async function encryptedFor(
  { db }: Pick<Context, 'db'>,
  repository: Repository,
  wanted: { own: boolean; limit: number },
) {
  const configs = await configsOfBranches(db, repository, wanted)
  return configs.flatMap(({ branch, number, config, ...slug }) =>
    encryptedIn(config).map(({ path, value }) => ({
      repository: slugOf(slug),
      branch,
      build: number,
      path,
      value,
    })),
  )
}
