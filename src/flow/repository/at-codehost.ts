import { type Codehost, CodehostError, type RepositoryRef } from '../../codehost/codehost.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import { installationNumber } from '../../store/installations.ts'
import type { Context } from '../context.ts'

/** The code host of a repository, with the reference by which it is addressed there. */
export async function atCodehost(
  { db, codehosts }: Pick<Context, 'db' | 'codehosts'>,
  repository: Repository,
): Promise<{ codehost: Codehost; ref: RepositoryRef }> {
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
    installation: await installationNumber(db, repository.installation_id),
  }
  return { codehost, ref }
}
