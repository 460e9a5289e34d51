import type { Decrypt } from '../../secrets/secure-value.ts'
import { newestRequestOfBranch } from '../../store/builds.ts'
import { rawConfigsOfRequest } from '../../store/raw-configs.ts'
import type { Context } from '../context.ts'
import { decryptValues } from '../secrets/secure-values.ts'
import type { BuildFacts } from './build-facts.ts'
import { encryptedAddress } from './open-address.ts'
import type { Target } from './targets.ts'

/**
 * Decrypts the addresses of targets. Those of a fork's pull request are the ones of its base branch
 * (NT-28), so that what this one imports counts, and nothing that the author has imported.
 */
export async function decryptTargets(
  ctx: Pick<Context, 'db' | 'sealer'>,
  { repository, request, commit }: Pick<BuildFacts, 'repository' | 'request' | 'commit'>,
  targets: readonly Target[],
): Promise<Decrypt> {
  const values = targets.flatMap(({ address }) => encryptedAddress(address) ?? [])
  if (values.length === 0) return () => undefined
  const from = request.from_fork
    ? await newestRequestOfBranch(ctx.db, repository.id, commit.branch)
    : request.id
  const raw = from === undefined ? [] : await rawConfigsOfRequest(ctx.db, from)
  return decryptValues(ctx, { repository, raw }, values)
}
