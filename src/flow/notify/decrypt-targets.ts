import type { Decrypt } from '../../secrets/secure-value.ts'
import { rawConfigsOfRequest } from '../../store/raw-configs.ts'
import type { Context } from '../context.ts'
import { decryptValues } from '../secrets/secure-values.ts'
import type { BuildFacts } from './build-facts.ts'
import { encryptedAddress } from './open-address.ts'
import type { Target } from './targets.ts'

/**
 * Decrypts the addresses of targets. Those of a fork's pull request are the ones of its base branch, and
 * what its author has imported says nothing about them.
 */
export async function decryptTargets(
  ctx: Pick<Context, 'db' | 'sealer'>,
  { repository, request }: Pick<BuildFacts, 'repository' | 'request'>,
  targets: readonly Target[],
): Promise<Decrypt> {
  const values = targets.flatMap(({ address }) => encryptedAddress(address) ?? [])
  if (values.length === 0) return () => undefined
  const raw = request.from_fork ? [] : await rawConfigsOfRequest(ctx.db, request.id)
  return decryptValues(ctx, { repository, raw }, values)
}
