import { type Codehost, CodehostError, type RepositoryRef } from '../../codehost/codehost.ts'
import { type AddressedRepository, slugOf } from '../../domain/repository.ts'
import type { Context } from '../context.ts'

/** The code host of a repository, and the reference that addresses the repository there. */
export function atCodehost(
  { codehosts }: Pick<Context, 'codehosts'>,
  repository: AddressedRepository,
): { codehost: Codehost; ref: RepositoryRef } {
  const codehost = codehosts[repository.provider]
  if (!codehost) {
    throw new CodehostError(
      `${slugOf(repository)} is on a code host that is not set up here (${repository.provider})`,
      { kind: 'refused' },
    )
  }
  const ref = {
    codehost_id: repository.codehost_id,
    slug: slugOf(repository),
    private: repository.private,
    installation: repository.installation_codehost_id,
  }
  return { codehost, ref }
}
