import type { Repository } from '../../domain/repository.ts'
import { slugOf } from '../../domain/repository.ts'
import { configsOfBranches } from '../../store/requests/configs-of-branches.ts'
import type { Context } from '../context.ts'
import { encryptedIn } from './encrypted-in.ts'
import { decryptValues } from './secure-values.ts'

/** An encrypted value in a branch's build file, as the branch's last build read it. */
export interface EncryptedValue {
  repository: string
  branch: string
  build: number
  /** `env.global[0].TOKEN`, positions counted from 0. */
  path: string
}

/** An encrypted value, and whether the current key decrypts it: a new key would not. */
export interface TriedValue extends EncryptedValue {
  /** Null if it was not tried, because there are too many values. */
  readable: boolean | null
}

/** Lists the encrypted values in the build files that a repository's key pair serves. */
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
      // Values that another repository encrypted with its own key do not depend on this key.
      .filter((each) => each.readable === true || each.repository === slugOf(repository))
  )
}

/** Lists the encrypted values in the repository itself, without trying its current key on them. */
export async function listOwnEncrypted(
  ctx: Pick<Context, 'db'>,
  repository: Repository,
): Promise<EncryptedValue[]> {
  const found = await encryptedFor(ctx, repository, { own: true, limit: mostBranchesOfCall })
  return found.map(({ value: _value, ...where }) => where)
}

/** The number of most recently built branches that are searched: for a command, and for an API call. */
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
